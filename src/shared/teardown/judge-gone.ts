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
 * What a person can add to what is in front of them. `done`: their word may be the second witness. `ended-elsewhere`: so it is, of a machine
 * that the provider does not know. `cannot-confirm`: no word is enough while the address cannot be asked. Null: nothing.
 */
export function personsPart({
  act,
  said,
  answer,
}: UnderWay): 'done' | 'ended-elsewhere' | 'cannot-confirm' | null {
  const isUnclear = answer?.kind === 'unreachable' || answer?.kind === 'unknown';
  const needsWord = isUnclear || (answer?.kind === 'silent' && isLinkedLater(act));
  switch (said?.kind) {
    case undefined:
      return isUnclear ? 'cannot-confirm' : 'done';
    case 'unheard':
      if (isUnclear) return 'cannot-confirm';
      return answer?.kind === 'silent' ? 'ended-elsewhere' : null;
    case 'stopped':
      return needsWord && act.aim === 'stopped' ? 'done' : null;
    case 'gone':
      return needsWord ? 'done' : null;
    default:
      return null;
  }
}

/** Its provider was linked after the yes: whether it speaks of the machine that was looked at only the person knows. */
const isLinkedLater = ({ machine }: Act): boolean => machine !== null && machine.instance === null;

/**
 * SECURITY: two witnesses, and never one alone: a silent address, and the provider or, where none can tell, the person. Of an address that
 * could not be asked to the end, provider and person. A word that was given to another picture than the one that counts now is none.
 */
export function judgeGone(before: UnderWay, asked: GoneQuestion): GoneVerdict {
  const { said, word } = asked;
  const { aim } = before.act;
  const heard = word?.to === pictureOf(before) ? asked : { ...asked, word: null };
  if (said === null) return byPerson(aim, heard);
  // Where a provider is asked, the person says yes to what it and the address have said, not to what they may say next.
  const isSame = pictureOf({ ...before, ...asked }) === pictureOf(before);
  return byProvider(before.act, said, isSame ? heard : { ...heard, word: null });
}

function byProvider(act: Act, said: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { aim } = act;
  const { provider, says } = said;
  switch (said.kind) {
    case 'silent':
      return because(`Nothing is known from ${provider}: ${says}`);
    case 'running':
      return because(`${provider} says that the machine is running still.`);
    case 'stopping':
      return { kind: 'going' };
    case 'stopped':
      return aim === 'stopped'
        ? bothSay(act, said, asked)
        : because(`${provider} says that the machine is stopped, and not that it is gone.`);
    case 'gone':
      return bothSay({ ...act, aim: 'gone' }, said, asked);
    case 'unheard':
      return unheard(aim, said, asked);
    default:
      return unreachable(said.kind);
  }
}

function bothSay(act: Act, said: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { aim } = act;
  const { answer, word, atMs } = asked;
  const { provider, kind } = said;
  const claim = `${provider} says that the machine is ${kind}`;
  switch (answer?.kind) {
    case 'silent':
      if (!isLinkedLater(act)) {
        return gone(aim, { atMs, silence: answer.says, by: { kind: 'provider', said } });
      }
      return word === null
        ? because(
            `${claim}, and nobody answers at its address. It was linked to this box after your yes: if it is the machine that you ended, say so as well.`,
          )
        : gone(aim, { atMs, silence: answer.says, by: personSays(word, said) });
    case 'answers':
      return because(`${claim}, and its address answers: ${answer.says}`);
    case 'unreachable':
    case 'unknown':
      if (word === null) {
        return because(`${claim}. ${answer.says} If you know that it is ${kind}, say so as well.`);
      }
      return gone(aim, { atMs, silence: answer.says, by: personSays(word, said) });
    case undefined:
      return because(`${claim}. Its address was not asked.`);
  }
}

/** Ended outside of Leasehold, or a machine of another account. */
function unheard(aim: Act['aim'], { provider }: ProviderSaid, asked: GoneQuestion): GoneVerdict {
  const { answer, word } = asked;
  if (answer?.kind === 'answers') {
    return because(`The box answers, and ${provider} knows no such machine. ${answer.says}`);
  }
  if (answer?.kind !== 'silent') {
    return because(`${provider} knows no such machine. ${notSilent(answer)}`);
  }
  return word === null
    ? because(
        `${provider} knows no such machine, and nobody answers at its address. If it was ended elsewhere, say that it is done.`,
      )
    : byPerson(aim, asked);
}

function byPerson(aim: Act['aim'], { answer, said, word, atMs }: GoneQuestion): GoneVerdict {
  if (answer?.kind !== 'silent') return because(notSilent(answer));
  const silence = answer.says;
  if (word === null) return because(`${silence} That alone does not say that it is gone.`);
  return gone(aim, { atMs, silence, by: personSays(word, said) });
}

function notSilent(answer: Exclude<AddressAnswer, { readonly kind: 'silent' }> | null): string {
  if (answer === null) return 'Its address was not asked.';
  return answer.kind === 'answers'
    ? answer.says
    : `${answer.says} That does not show whether the box is gone, so it cannot be confirmed from here.`;
}

const personSays = ({ atMs }: PersonsWord, said: ProviderSaid | null): Gone['by'] => ({
  ...{ kind: 'person', saidAtMs: atMs, said },
});

const gone = (aim: Act['aim'], found: Gone): GoneVerdict => ({ kind: 'gone', gone: found, aim });

const because = (words: string): GoneVerdict => ({ kind: 'unconfirmed', because: words });
