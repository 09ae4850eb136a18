import { unreachable } from '../result.ts';
import type { Act, AddressAnswer, Gone, UnderWay } from './gate.ts';
import type { ProviderSaid } from './provider-said.ts';

/** What was found out about an end that is under way. */
export interface GoneQuestion {
  /** What the address of the box answered; null: it was not asked. */
  readonly answer: AddressAnswer | null;
  /** What its provider says of it; null: none is linked. */
  readonly said: ProviderSaid | null;
  /** Null: the person did not say that it is done. */
  readonly word: PersonsWord | null;
  readonly atMs: number;
}

/** A person says that it is done. */
export interface PersonsWord {
  readonly atMs: number;
  /** What they had in front of them (`pictureOf`). */
  readonly to: string;
}

/** What a person has in front of them while an end is under way. Their word is to this, and to nothing that comes after it. */
export const pictureOf = ({ act, said, answer }: UnderWay): string =>
  [act.id, said?.kind ?? 'no provider', answer?.kind ?? 'not asked'].join(' ');

export type GoneVerdict =
  /** `aim`: what has come about. A machine that was to be stopped may be gone. */
  | { readonly kind: 'gone'; readonly gone: Gone; readonly aim: Act['aim'] }
  /** The provider is at it. */
  | { readonly kind: 'going' }
  | { readonly kind: 'unconfirmed'; readonly because: string };

/**
 * SECURITY: two witnesses, and never one alone: a silent address, and the provider or, where none can tell, the person. Of an address to which
 * no way leads, provider and person. A word that was given to another picture than the one that counts now is none.
 */
export function judgeGone(before: UnderWay, asked: GoneQuestion): GoneVerdict {
  const { said, word } = asked;
  const { aim } = before.act;
  const heard = word?.to === pictureOf(before) ? asked : { ...asked, word: null };
  if (said === null) return byPerson(aim, heard);
  // Where a provider is asked, the person says yes to what it and the address have said, not to what they may say next.
  const isSame = pictureOf({ ...before, ...asked }) === pictureOf(before);
  return byProvider(aim, said, isSame ? heard : { ...heard, word: null });
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

function bothSay(aim: Act['aim'], said: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { answer, word, atMs } = asked;
  const { provider, kind } = said;
  const claim = `${provider} says that the machine is ${kind}`;
  switch (answer?.kind) {
    case 'silent':
      return gone(aim, { atMs, silence: answer.says, by: { kind: 'provider', said } });
    case 'answers':
      return because(`${claim}, and its address answers: ${answer.says}`);
    case 'unreachable':
      if (word === null) {
        return because(`${claim}. ${answer.says} If you know that it is ${kind}, say so as well.`);
      }
      return gone(aim, { atMs, silence: answer.says, by: personSays(word, said) });
    default:
      return because(
        `${claim}. Its address was not asked to the end: ${answer?.says ?? 'nobody asked.'}`,
      );
  }
}

/** Ended outside of Leasehold, or a machine of another account. */
function unheard(aim: Act['aim'], { provider }: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { answer, word } = asked;
  if (answer?.kind === 'answers') {
    return because(`The box answers, and ${provider} knows no such machine. ${answer.says}`);
  }
  return answer?.kind === 'silent' && word === null
    ? because(
        `${provider} knows no such machine, and nobody answers at its address. If it was ended elsewhere, say that it is done.`,
      )
    : byPerson(aim, asked);
}

function byPerson(aim: Act['aim'], { answer, said, word, atMs }: GoneQuestion): GoneVerdict {
  if (answer === null) return because('Its address was not asked.');
  if (answer.kind !== 'silent') return because(answer.says);
  const silence = answer.says;
  if (word === null) return because(`${silence} That alone does not say that it is gone.`);
  return gone(aim, { atMs, silence, by: personSays(word, said) });
}

const personSays = ({ atMs }: PersonsWord, said: ProviderSaid | null): Gone['by'] => ({
  ...{ kind: 'person', saidAtMs: atMs, said },
});

const gone = (aim: Act['aim'], found: Gone): GoneVerdict => ({ kind: 'gone', gone: found, aim });

const because = (words: string): GoneVerdict => ({ kind: 'unconfirmed', because: words });
