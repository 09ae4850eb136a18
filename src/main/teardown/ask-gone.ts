import type { Act, AddressAnswer } from '../../shared/teardown/gate.ts';
import type { GoneQuestion, PersonsWord } from '../../shared/teardown/judge-gone.ts';
import type { ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { askAddress, type AskOptions } from './ask-address.ts';
import type { TeardownVerbs } from './teardown-verbs.ts';

export interface AskGoneOptions extends AskOptions {
  readonly roster: Pick<BoxRoster, 'linkOf' | 'follow' | 'entryOf'>;
  readonly verbs: Pick<TeardownVerbs, 'look'>;
  /** How long its provider may take. */
  readonly forMs: number;
  readonly word: PersonsWord | null;
}

/** Asks the provider, and the address of the box once that says that there is nothing any more. */
export async function askGone(
  boxId: string,
  { aim, machine }: Pick<Act, 'aim' | 'machine'>,
  { roster, verbs, word, forMs, ...ask }: AskGoneOptions,
): Promise<GoneQuestion> {
  const of = machine?.instance ?? null;
  const said = await verbs.look(boxId, { forMs, signal: ask.signal, of });
  const answer: AddressAnswer | null =
    said === null || mayBeSilent(said, aim) ? await askAddress(boxId, roster, ask) : null;
  return { answer, said, word, atMs: Date.now() };
}

const mayBeSilent = ({ kind }: ProviderSaid, aim: Act['aim']): boolean =>
  kind === 'gone' || kind === 'unheard' || (kind === 'stopped' && aim === 'stopped');
