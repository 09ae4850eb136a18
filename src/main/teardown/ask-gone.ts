import type { Act, AddressAnswer } from '../../shared/teardown/gate.ts';
import type { GoneQuestion } from '../../shared/teardown/judge-gone.ts';
import type { ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { askAddress, type AskOptions } from './ask-address.ts';
import type { TeardownVerbs } from './teardown-verbs.ts';

export interface AskGoneOptions extends AskOptions {
  readonly roster: Pick<BoxRoster, 'linkOf' | 'follow' | 'entryOf'>;
  readonly verbs: Pick<TeardownVerbs, 'look'>;
  readonly saidAtMs: number | null;
}

/** Asks the provider, and the address of the box once that says that there is nothing any more. */
export async function askGone(
  boxId: string,
  { aim }: Pick<Act, 'aim'>,
  { roster, verbs, saidAtMs, ...ask }: AskGoneOptions,
): Promise<GoneQuestion> {
  const said = await lookInTime(ask, (signal) => verbs.look(boxId, signal));
  const answer: AddressAnswer | null =
    said === null || mayBeSilent(said, aim) ? await askAddress(boxId, roster, ask) : null;
  return { answer, said, saidAtMs, atMs: Date.now() };
}

/** Not `AbortSignal.any`: the oldest Electron that this runs on knows none. */
async function lookInTime<T>(
  { signal, forMs }: Pick<AskOptions, 'signal' | 'forMs'>,
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const end = (): void => late.abort();
  const timer = setTimeout(end, forMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await look(late.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

const mayBeSilent = ({ kind }: ProviderSaid, aim: Act['aim']): boolean =>
  kind === 'gone' || kind === 'unheard' || (kind === 'stopped' && aim === 'stopped');
