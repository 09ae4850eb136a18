import type { OfferedKey } from '../host-key.ts';
import { compareExpected } from './compare-expected.ts';

/** What the person typed to give a box a new identity: its name, or the new key's fingerprint. MD5 is not enough here. */
export type PhraseVerdict = 'name' | 'fingerprint' | 'other-fingerprint' | 'wrong';

export function judgePhrase(phrase: string, boxName: string, offered: OfferedKey): PhraseVerdict {
  const compared = compareExpected(phrase, offered);
  if (compared === 'same') return 'fingerprint';
  // A fingerprint that differs is a warning even if some box is called that way.
  if (compared === 'different') return 'other-fingerprint';
  return phrase.trim() === boxName.trim() ? 'name' : 'wrong';
}
