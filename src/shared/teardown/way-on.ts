import type { UnderWay } from './gate.ts';
import type { OrderAnswer, ProviderLine } from './provider-said.ts';

/** What a person can do about an end that its provider does not confirm. Null: what was found says it already, or the provider is at it. */
export function wayOn({ act, said, answer }: UnderWay, provider: string): string | null {
  const console = `${provider}’s console`;
  switch (said?.kind) {
    case undefined:
      return `Wait: Leasehold is asking ${provider} what came of it.`;
    case 'running':
      return `If it keeps running, end it in ${console}: Leasehold keeps checking. If you want to keep it, choose “It is not being ended”.`;
    case 'stopped':
      return act.aim === 'gone'
        ? `End it in ${console}: a machine that is only stopped may go on billing for its storage.`
        : sameAddress(answer?.kind, console);
    case 'gone':
      return sameAddress(answer?.kind, console);
    case 'unheard':
      return answer?.kind === 'answers'
        ? 'Look for the machine in the account that pays for it, which may not be the linked one, and end it there.'
        : null;
    default:
      return null;
  }
}

const sameAddress = (kind: string | undefined, console: string): string | null =>
  kind === 'answers'
    ? `Compare the address with ${console}: another machine may have it by now, or this one goes on.`
    : null;

/** Of a provider that says nothing. */
export interface Silence {
  readonly sinceMs: number;
  /** What it said before that; null: nothing that is known. */
  readonly before: ProviderLine | null;
  /** Whether its answer to the order is known: what another session of Leasehold was told is not. */
  readonly isFromOrder: boolean;
}

/** Null: it does answer. */
export function silenceOf(told: readonly ProviderLine[]): Silence | null {
  const isSilent = ({ kind }: ProviderLine): boolean => kind === 'silent' || kind === 'lost';
  const [last, ...earlier] = [...told].reverse();
  if (last === undefined || !isSilent(last)) return null;
  const at = earlier.findIndex((line) => !isSilent(line));
  const first = (at === -1 ? earlier.at(-1) : earlier[at - 1]) ?? last;
  const isFromOrder = ORDER_ANSWERS.has(told[0]?.kind);
  return { sinceMs: first.atMs, before: earlier[at] ?? null, isFromOrder };
}

const ORDER_ANSWERS: ReadonlySet<ProviderLine['kind'] | undefined> = new Set([
  'accepted',
  'refused',
  'lost',
] satisfies OrderAnswer['kind'][]);
