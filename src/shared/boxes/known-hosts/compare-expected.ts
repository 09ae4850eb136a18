import type { OfferedKey } from '../host-key.ts';

/** What the entered text says about the offered key. */
export type Comparison =
  | 'empty'
  /** Its SHA-256 fingerprint or the key itself, exactly. */
  | 'same'
  /** Its MD5 fingerprint: better than nothing, but MD5 can be forged by someone with enough means. */
  | 'same-md5'
  | 'different'
  /** No fingerprint and no key in it, or one that is cut off. */
  | 'unreadable';

export const MAX_EXPECTED_CHARS = 20_000;

const SHA256 = /(?:^|\s)(?:SHA256:)?([A-Za-z0-9+/]{43})=?(?=\s|$)/gi;
const MD5 = /(?:^|\s)(?:MD5:)?((?:[0-9a-f]{2}:){15}[0-9a-f]{2})(?=\s|$)/gi;
// Every public key starts with three zero bytes, the length of its type's name.
const KEY = /(?:^|\s)(AAAA[A-Za-z0-9+/]{40,}={0,2})(?=\s|$)/g;

/**
 * Compares what the person pasted with the offered key: a fingerprint by itself, a line of `ssh-keygen -l`, a public key
 * or a known_hosts line; several lines too, since a machine has several keys. Exactly: a part of a fingerprint is none.
 */
export function compareExpected(text: string, offered: OfferedKey): Comparison {
  if (text.trim() === '') return 'empty';
  const keys = found(text, KEY);
  const strong = found(text, SHA256);
  if (keys.includes(offered.publicKey) || strong.includes(offered.fingerprint.slice(7)))
    return 'same';
  if (keys.length + strong.length > 0) return 'different';
  const weak = found(text, MD5).map((each) => each.toLowerCase());
  if (weak.includes(offered.md5.slice(4))) return 'same-md5';
  return weak.length > 0 ? 'different' : 'unreadable';
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.slice(0, MAX_EXPECTED_CHARS).matchAll(pattern)].map(([, value = '']) => value);
}
