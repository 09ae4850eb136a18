// What a log line, a problem's detail or a crash report must never hold. Recognized by shape, so a public key, a host key
// fingerprint, a git hash or a file's checksum passes: people compare those. A secret without a shape of its own (a wandb
// or vast.ai key is plain hex) is caught by the name in front of it, or because it was registered. In doubt too much goes:
// a value runs to the next space, whatever punctuation is in it.
//
// Every pattern stays linear on hostile text: a name or scheme is only tried where a run of its characters begins.

import { withoutPercent, withoutSignatures } from './signed-address.ts';

export const REDACTED = '[redacted]';

/** Keys of many lines. One cut off at the end of a text is as secret as a whole one. */
const KEYS: readonly RegExp[] = [
  /-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-{4,5}|$)/g,
  /\bPrivate-Lines: \d[\s\S]*?(?=Private-MAC:|$)/g, // PuTTY
];

/** Things that are secret as they stand. */
const WHOLE: readonly RegExp[] = [
  ...KEYS,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /(?<![\w-])sk-(?:(?:proj|ant|or|svcacct|admin)-[\w-]{16,}|[A-Za-z0-9]{20,})/g,
  /\bgh[opsur]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_\w{22,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\brpa_[A-Za-z0-9]{20,}/g,
  /\bwb_at_[\w-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{36}/g,
  /\bpypi-[\w-]{40,}/g,
  /\bxox[abprs]-[\w-]{10,}/g,
  /\bAIza[\w-]{35}/g,
  // A JSON web token. What can hold none is passed over at once, however often one seems to begin in it.
  /(?<![\w-])(?=[\w-]*\.[\w-]{8,}\.)[\w-]*?\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b[rs]k_(?:live|test)_\w{16,}/g,
  /\br8_[A-Za-z0-9]{30,}/g,
  /\bgsk_[A-Za-z0-9]{30,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bdckr_pat_[\w-]{20,}/g,
  /\bdo[opr]_v1_[0-9a-f]{40,}/g,
  /\btskey-[\w-]{16,}/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{40,}/g,
  /(?<![\w:.])\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])/g, // a bot of Telegram
];

/** The last word of a name that holds a secret: WANDB_API_KEY, jupyter_token, rootPassword, X-Api-Key … */
const SECRET_NAME =
  '(?:password|passwd|passphrase|secret|token|(?:api|access|secret|private|auth|account)[_-]?key|credentials?)';
/** Tokenizer vocabulary, which machine learning output is full of, ends in the same word. */
const NOT_VOCABULARY =
  '(?![\\w.-]*(?<![A-Za-z0-9])(?:pad|eos|bos|unk|sep|cls|mask)_token(?![\\w-]))';
const NAME = `(?<![\\w.-])${NOT_VOCABULARY}[\\w.-]*${SECRET_NAME}`;
/** Already taken out, quoted, quoted inside a JSON string, or up to the next space. */
const VALUE = `(?:\\[redacted\\](?![^\\s,;"'&\\\\)}\\]])|"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\\\\"[^"\\\\]*\\\\"|[^\\s"'&]+)`;

/** What signs an address: whoever has all of it may read what it leads to, or write there. */
const SIGNATURE =
  /([?&=](?:X-(?:Amz|Goog|OSS|OBS|TOS)-Signature|Signature|sig|q-signature)=)[^\s&"']+/gi;

/** Things that are secret because of what stands in front of them, which is the first group and stays. */
const AFTER: readonly RegExp[] = [
  // The password in scheme://user:password@host, and a user name that can only be a token.
  /((?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/]+(?=@)/gi,
  /((?<![\w+.-])[a-z][\w+.-]*:\/\/)[^\s/:@]{20,}(?=@)/gi,
  // name=value, name: value, "name": "value"
  new RegExp(`(${NAME}(?:\\\\?["'])?[ \\t]*(?:=|:(?!//))[ \\t]*)${VALUE}`, 'gi'),
  // --password value
  new RegExp(
    `((?<![\\w-])--${NOT_VOCABULARY}(?:[\\w-]*[-_])?${SECRET_NAME}[ \\t]+(?!-))${VALUE}`,
    'gi',
  ),
  /(\bauthorization\\?["']?[ \t]*[:=][ \t]*\\?["']?)(?:(?:Bearer|Basic|Token)[ \t]+)?[^\s"'\\]+/gi,
  /(\b(?:set-)?cookie\\?["']?[ \t]*:[ \t]*\\?["']?)[^\r\n"'\\]+/gi,
  // A digit somewhere: "bearer authentication failed" is no token.
  /(\bbearer[ \t]+)(?=[^\s"']*\d)[A-Za-z0-9._~+/=-]{8,}/gi,
  /(\bwandb[ \t]+login[ \t]+(?:--\S+[ \t]+)*)[\w-]{20,}/gi,
  // Who knows the rest of such an address may post there, or read.
  /(\bhooks\.slack\.com\/[a-z]+\/)[^\s"']+/gi,
  /(\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]+/gi,
  SIGNATURE,
  /(\bmachine\s+\S+\s+login\s+\S+\s+password\s+)\S+/gi, // .netrc
];

/** Replaces everything that has the shape of a secret. Pure. */
export function redactText(text: string): string {
  let rest = text;
  for (const pattern of WHOLE) rest = rest.replace(pattern, REDACTED);
  for (const pattern of AFTER) rest = rest.replace(pattern, `$1${REDACTED}`);
  return rest;
}

/** Where a key of many lines begins that has not ended with the text; -1: none does. */
export function openSecretAt(text: string): number {
  // Whatever follows a key that has ended is none of it.
  const more = `${text}\n`;
  for (const key of KEYS) {
    for (const { 0: found, index } of more.matchAll(key)) {
      if (index + found.length === more.length) return index;
    }
  }
  return -1;
}

const SECRET_FIELD = new RegExp(
  `^${NOT_VOCABULARY}[\\w.-]*(?:${SECRET_NAME}|authorization|cookie)$`,
  'i',
);

/** Whether what stands under this name is secret whatever it looks like. */
export function isSecretName(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** A value that no word, number, path or variable is (chosen for Leasehold: a key has sixteen characters and a digit). */
const KEY = /^["']?(?=[^"']*\d)(?=[^"']*[A-Za-z])[\w+=.-]{16,}["']?$/;

/** As a bucket's secret key is written, in which a slash begins no path. */
const BASE64 =
  /^["']?(?=[^"']*\d)(?=[^"']*[a-z])(?=[^"']*[A-Z])[A-Za-z0-9+][A-Za-z0-9+/=]{29,}["']?$/;
/** `gcp-key-12345678901abc.json`: where a key lies. */
const FILE = /\.(?:json|ya?ml|toml|txt|pem|key|p12|env|cfg|ini|conf)$/i;
/** One longer than this is no piece of what a person thinks up (chosen for Leasehold). */
const MAX_PIECE_CHARS = 20;

/**
 * Whether a value is what a person thinks up, in words with numbers between them: "photo_of_sks_dog_01". A key that was drawn
 * at random goes from letters to digits and back too often for that, or is too long.
 */
function isThoughtUp(value: string): boolean {
  const word = value.replace(/^["']|["']$/g, '');
  return FILE.test(word) || (/^[\w.-]+$/.test(word) && word.split(/[_.-]+/).every(isPiece));
}

function isPiece(piece: string): boolean {
  if (piece.length > MAX_PIECE_CHARS) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (parts.length <= (piece.length <= 5 ? 3 : 2)) return true;
  const words = parts.filter((part) => /^[A-Z]?[a-z]{3,}$/.test(part) && /[aeiouy]/i.test(part));
  // Between words a person counts with several digits, 01 and 0001.
  if (parts.length > 5 || parts.some((part) => /^\d$/.test(part))) return false;
  return words.join('').length * 2 >= piece.length;
}

/** By what such a key begins with, an experiment may be called, too. */
const BEGINS_LIKE_A_KEY = /^sk-[a-z]+-/;
/** What signs an address, whose letters may be those of a path. */
const OF_SIGNATURE = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{16,}$/;
/** What a person types is shorter than a key, and is no path and no variable. */
const PASSWORD = /^["']?(?=[^"']*\d)(?=[^"']*[A-Za-z])[^\s"'/$<{(]{8,}["']?$/;
const PASSWORD_NAME = /pass(?:word|wd|phrase)\W*$/i;
/** `docker://ubuntu:22.04@sha256:…` */
const DIGEST = /^@sha\d{3}:/;

/**
 * Whether a command holds a secret, and not only a name that one could stand behind, such as `--stop_token 5`: for what a person
 * is told, where redaction takes out too much rather than too little. An address that is signed for a time is none.
 */
export function holdsSecret(said: string, nowMs: number): boolean {
  const text = withoutSignatures(said, nowMs);
  if (WHOLE.some((pattern) => [...text.matchAll(pattern)].some(([whole]) => isKey(whole))))
    return true;
  return AFTER.some((pattern, at) =>
    [...text.matchAll(pattern)].some(({ 0: match, 1: before = '', index }) => {
      const value = match.slice(before.length);
      if (at < 2 && DIGEST.test(text.slice(index + match.length, index + match.length + 8)))
        return false;
      if (PASSWORD_NAME.test(before) && PASSWORD.test(value)) return true;
      // A password in an address is one, however short.
      if (at < 2) return value !== '' && !/^["']?(?:\$|\[redacted\])/.test(value);
      // Of a shell's text the next command may stand at it.
      const word = withoutPercent(value.replace(/[;|,)<>`\\][^]*$/, ''));
      if (pattern === SIGNATURE) return OF_SIGNATURE.test(word);
      return (KEY.test(word) && !isThoughtUp(word)) || BASE64.test(word);
    }),
  );
}

const isKey = (whole: string): boolean =>
  !BEGINS_LIKE_A_KEY.test(whole) || !isThoughtUp(whole.replace(BEGINS_LIKE_A_KEY, ''));
