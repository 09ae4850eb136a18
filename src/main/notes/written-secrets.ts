import { REDACTED } from '../../shared/secrets/redact-text.ts';

// What a person writes by hand about a secret, which no program would: with words around it instead of the name of a variable.
// Only for notes, where a line that is flagged in vain is written anew. A log is full of words like these.

/** At least a letter and a digit: "the password is the same", "token: 2048". */
const MIXED = '(?=[^\\s]*[A-Za-z])(?=[^\\s]*\\d)';
/** Names of key files, and what is public anyway. */
const NO_SECRET =
  '(?!id_(?:rsa|ed25519|ecdsa|dsa)|SHA256:|AAAA|\\[redacted\\]|\\S+\\.(?:pem|pub|key)\\b)';

const TOLD: readonly RegExp[] = [
  // "pw: …", "the password is …", "密码：…"
  new RegExp(
    `((?:\\b(?:pass(?:word|wd|phrase|code)?|pwd?)\\b|密码|口令)(?:[ \\t]+(?:is|was)[ \\t]+|[ \\t]*[:=：][ \\t]*))${NO_SECRET}${MIXED}\\S{6,}`,
    'gi',
  ),
  // "my wandb key is …", "vast.ai …", "key: …": whatever stands on the same line and is no word
  new RegExp(
    `(\\b(?:wandb|w&b|vast(?:\\.?ai)?|keys?|tokens?|secrets?|credentials?)\\b[^\\n]{0,80}?(?<![\\w/.:+=-]))${NO_SECRET}${MIXED}[A-Za-z0-9+/_-]{32,}={0,2}(?![\\w/])`,
    'gi',
  ),
  // "ssh root:…@1.2.3.4", not "image:tag@sha256:…"
  new RegExp(
    `(\\b[\\w.-]+:)${NO_SECRET}(?=[^\\s/:@]*\\d)[^\\s/:@]{6,}(?=@(?!sha\\d)[\\w.-])`,
    'gi',
  ),
];

export function hideWritten(text: string): string {
  return TOLD.reduce((rest, pattern) => rest.replace(pattern, `$1${REDACTED}`), text);
}
