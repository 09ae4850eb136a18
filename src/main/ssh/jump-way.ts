import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SshAddress } from '../../shared/boxes/address.ts';
import type { Box, JumpHostPlace } from '../../shared/boxes/box.ts';
import type { Hop } from '../../shared/boxes/route.ts';
import { USUAL_LOGIN, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

/** A channel ends a moment before the connection that carried it is known to be gone. */
const LOST_WITHIN_MS = 250;
export const OPEN_TIMEOUT_MS = 15_000;

/** What jump hosts' ids start with; no box id does. */
export const HOP_ID = 'hop:';

/**
 * A jump host in the shape of a box, because it is logged in to like one. Its id is its place on the way: the same
 * private address behind two gates is two machines.
 */
export function jumpHostMachine(box: Box, hops: readonly Hop[], index: number): Box {
  const { address, identityFile } = hops[index] as Hop;
  const way = hops.slice(0, index + 1).map((each) => placeOf(each.address));
  return {
    ...USUAL_WAY,
    id: `${HOP_ID}${way.join('>')}`,
    name: `the jump host ${address.host}`,
    platform: box.platform,
    address,
    login: { ...USUAL_LOGIN, identityFiles: identityFile === null ? [] : [identityFile] },
    tags: [],
    addedAtMs: box.addedAtMs,
  };
}

/** Null when it takes longer. */
async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first;
}

/** All jump hosts on the way to a box. */
export function jumpHostsOf(box: Box): readonly Box[] {
  const { route } = box;
  return route.kind === 'jumps'
    ? route.hops.map((_hop, index) => jumpHostMachine(box, route.hops, index))
    : [];
}

function placeOf({ host, port }: SshAddress): string {
  return `${host.toLowerCase()}:${port}`;
}

/** Through a machine that is logged in already. That login stays: the next machine may take more than one connection. */
export const throughJumpHost =
  (connection: SshConnection, jumpHost: JumpHostPlace, next: SshAddress): OpenWay =>
  async (signal) => {
    const opened = await openThrough(connection, next, signal);
    if (!opened.ok) return err(atJumpHost(opened.error, jumpHost));
    const stream = opened.value;
    return ok({
      stream,
      // The first answer on this channel came from the jump host.
      latencyMs: null,
      isDirect: false,
      close: () => undefined,
      explain: async (seen) => {
        if (seen.code !== 'link-lost') return seen;
        const lost = await within(LOST_WITHIN_MS, connection.closed);
        return lost === null ? seen : onTheWay(lost, jumpHost);
      },
    });
  };

/** Within bounded time, and in words that say which machine could not do what. */
async function openThrough(
  connection: Pick<SshConnection, 'openStream' | 'prove'>,
  { host, port }: SshAddress,
  signal: AbortSignal,
): Promise<Result<Duplex, Problem>> {
  const stopper = new AbortController();
  const onAbort = (): void => stopper.abort();
  const timer = setTimeout(onAbort, OPEN_TIMEOUT_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const opened = await connection.openStream({ host, port }, stopper.signal);
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  if (opened.ok) return opened;
  const { code, detail = '' } = opened.error;
  const where = `${host} port ${port}`;
  switch (code) {
    case 'aborted':
      return signal.aborted ? opened : err(await lateProblem(connection, host, where));
    case 'target-refused': {
      const reach = NO_ANSWER.test(detail) ? 'no-answer' : 'no-way';
      return err(problem('unreachable', `It cannot reach ${where}.`, { detail, reach }));
    }
    case 'forward-refused':
    case 'channel-refused':
      return err(
        problem('jump-refused', `It does not pass connections on to ${where}.`, {
          detail,
          reach: 'no-way',
        }),
      );
    default:
      return err({ ...opened.error, reach: 'no-way' });
  }
}

/** What OpenSSH’s and Dropbear’s servers say where the address itself refused or let the time pass. A name that is unknown, or no route, is neither. */
const NO_ANSWER = /connection (?:refused|timed out)/i;

/** A jump host that answers meanwhile has asked, and had no answer; one that hangs says nothing of the machine behind it. */
async function lateProblem(
  connection: Pick<SshConnection, 'prove'>,
  host: string,
  where: string,
): Promise<Problem> {
  // A name may be looked up in vain for as long.
  const wasAsked = isIP(host) !== 0 && (await connection.prove());
  const reach = wasAsked ? 'no-answer' : 'no-way';
  return problem('connect-timeout', `${where} did not answer in time.`, { reach });
}

/** A machine before the box failed: whatever it says, it says nothing of the box. */
export const onTheWay = (what: Problem, place: JumpHostPlace): Problem => ({
  ...atJumpHost(what, place),
  reach: 'no-way',
});

const AT = 'At the jump host';

/** Says which machine it was: the person knows the box, not what is on the way to it. The first that says so is right. */
function atJumpHost(what: Problem, { address, position, count }: JumpHostPlace): Problem {
  if (what.message.startsWith(AT)) return what;
  const which = count === 1 ? '' : ` (${position} of ${count})`;
  return { ...what, message: `${AT} ${address.host}${which}: ${what.message}` };
}
