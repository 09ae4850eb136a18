import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { isKeyQuestion } from '../../shared/boxes/host-key.ts';
import type { LinkState } from '../../shared/boxes/box.ts';
import type { ProblemCode } from '../../shared/problem.ts';
import type { AddressAnswer } from '../../shared/teardown/gate.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { longestTryMs } from '../ssh/open-route.ts';

/** Somebody was there, and said no. */
const ANSWERED: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['auth-refused', 'login-garbled']);

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Whether this computer is on any network but its own. */
  readonly isOnline?: () => boolean;
}

/** Asks the address of a box for a sign of life, over its link: what answers there with another key answers, too. */
export async function askAddress(
  boxId: string,
  roster: Pick<BoxRoster, 'linkOf' | 'follow' | 'entryOf'>,
  { signal, isOnline = hasNetwork }: AskOptions,
): Promise<AddressAnswer> {
  const link = roster.linkOf(boxId);
  if (link === null) return { kind: 'unknown', says: 'Leasehold has no way to this box.' };
  if (link.connection !== null && (await link.connection.prove())) return STILL_THERE;
  const route = roster.entryOf(boxId)?.box.route;
  if (route === undefined) return { kind: 'unknown', says: 'Leasehold has no way to this box.' };
  const settled = settledState(boxId, roster, { signal, forMs: longestTryMs(route) });
  link.connect();
  const state = await settled;
  if (state === null) return { kind: 'unknown', says: 'The address was not asked to the end.' };
  return judgeState(state, isOnline());
}

const STILL_THERE: AddressAnswer = { kind: 'answers', says: 'The box still answers.' };

/** SECURITY: silence is only what the address itself did. A way that failed before it says nothing of the box. */
export function judgeState(state: LinkState, isOnline: boolean): AddressAnswer {
  if (isKeyQuestion(state)) {
    return state.jumpHost === null
      ? { kind: 'answers', says: 'A machine with another host key answers at the address.' }
      : noWay(`The jump host ${state.jumpHost.address.host} has another host key.`);
  }
  if (state.kind === 'up') return STILL_THERE;
  if (state.kind !== 'waiting' && state.kind !== 'down') {
    return { kind: 'unknown', says: 'The address was not asked to the end.' };
  }
  const { code, message, reach } = state.problem;
  if (reach === 'no-way') return noWay(message);
  if (ANSWERED.has(code)) return { kind: 'answers', says: `Something answers there: ${message}` };
  if (reach !== 'no-answer') {
    return { kind: 'unknown', says: `Whether anything answers there is not known: ${message}` };
  }
  return isOnline ? { kind: 'silent', says: message } : noWay('This computer is on no network.');
}

const noWay = (because: string): AddressAnswer => ({
  ...{ kind: 'unreachable', says: `The address could not be asked. ${because}` },
});

/** The first state that is the end of a try; null: there was none in time. */
async function settledState(
  boxId: string,
  roster: Pick<BoxRoster, 'follow' | 'entryOf'>,
  { signal, forMs }: { readonly signal: AbortSignal; readonly forMs: number },
): Promise<LinkState | null> {
  let unfollow = (): void => undefined;
  const found = new Promise<LinkState>((resolve) => {
    // The link may be at it by itself.
    let isTrying = roster.entryOf(boxId)?.link.kind === 'connecting';
    unfollow = roster.follow({
      changed: ({ box, link }) => {
        if (box.id !== boxId) return;
        if (link.kind === 'connecting') isTrying = true;
        else if (isTrying) resolve(link);
      },
    });
  });
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener('abort', stop);
  const timer = setTimeout(stop, forMs);
  if (signal.aborted) stop();
  const none = over.signal.aborted
    ? Promise.resolve(null)
    : once(over.signal, 'abort').then(() => null);
  try {
    return await Promise.race([found, none]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    unfollow();
  }
}

function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ internal }) => !internal),
  );
}
