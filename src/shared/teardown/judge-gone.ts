import { unreachable } from '../result.ts';
import type { Act, AddressAnswer, Gone } from './gate.ts';
import type { ProviderSaid } from './provider-said.ts';

/** What was found out about an end that is under way. */
export interface GoneQuestion {
  /** What the address of the box answered; null: it was not asked. */
  readonly answer: AddressAnswer | null;
  /** What its provider says of it; null: none is linked. */
  readonly said: ProviderSaid | null;
  /** When the person said that it is done; null: they did not. */
  readonly saidAtMs: number | null;
  readonly atMs: number;
}

export type GoneVerdict =
  /** `aim`: what has come about. A machine that was to be stopped may be gone. */
  | { readonly kind: 'gone'; readonly gone: Gone; readonly aim: Act['aim'] }
  /** The provider is at it. */
  | { readonly kind: 'going' }
  | { readonly kind: 'unconfirmed'; readonly because: string };

/** SECURITY: two witnesses, and never one alone: a silent address, and the provider or, where none can tell, the person. */
export function judgeGone({ aim }: Pick<Act, 'aim'>, asked: GoneQuestion): GoneVerdict {
  const { said } = asked;
  return said === null ? byPerson(aim, asked) : byProvider(aim, said, asked);
}

function byProvider(aim: Act['aim'], said: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { provider, says } = said;
  switch (said.kind) {
    case 'silent':
      return because(`${provider} did not answer when it was asked: ${says}`);
    case 'running':
      return because(`${provider} says that the machine is running still.`);
    case 'stopping':
      return { kind: 'going' };
    case 'stopped':
      return aim === 'stopped'
        ? bothSay(aim, said, asked)
        : because(`${provider} says that the machine is stopped, and not that it is gone.`);
    case 'gone':
      return bothSay('gone', said, asked);
    case 'unheard':
      return unheard(aim, said, asked);
    default:
      return unreachable(said.kind);
  }
}

function bothSay(aim: Act['aim'], said: ProviderSaid, { answer, atMs }: GoneQuestion): GoneVerdict {
  const { provider, kind } = said;
  if (answer?.kind === 'silent') {
    const gone: Gone = { atMs, silence: answer.says, by: { kind: 'provider', said } };
    return { kind: 'gone', gone, aim };
  }
  const claim = `${provider} says that the machine is ${kind}`;
  return answer?.kind === 'answers'
    ? because(`${claim}, and its address answers: ${answer.says}`)
    : because(`${claim}. Its address was not asked to the end: ${answer?.says ?? 'nobody asked.'}`);
}

/** Ended outside of Leasehold, or a machine of another account. */
function unheard(aim: Act['aim'], { provider }: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { answer } = asked;
  if (answer?.kind === 'answers') {
    return because(`The box answers, and ${provider} knows no such machine. ${answer.says}`);
  }
  return answer?.kind === 'silent' && asked.saidAtMs === null
    ? because(
        `${provider} knows no such machine, and nobody answers at its address. If it was ended elsewhere, say that it is done.`,
      )
    : byPerson(aim, asked);
}

function byPerson(aim: Act['aim'], { answer, said, saidAtMs, atMs }: GoneQuestion): GoneVerdict {
  if (answer?.kind !== 'silent') return because(answer?.says ?? 'Its address was not asked.');
  const silence = answer.says;
  if (saidAtMs === null) return because(`${silence} That alone does not say that it is gone.`);
  return { kind: 'gone', gone: { atMs, silence, by: { kind: 'person', saidAtMs, said } }, aim };
}

const because = (words: string): GoneVerdict => ({ kind: 'unconfirmed', because: words });
