/** Room for a key in PEM; longer than that is a file, not a secret that somebody types. */
export const MAX_SECRET_CHARS = 8 * 1024;

/** The name of an environment variable, which also names the file. */
export function isVariableName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(text);
}

/**
 * A file on a box. SECURITY: no blank, quote or other character that a shell would make something of, because the person
 * is shown a line with it to paste; no `..`, so that it is where it says.
 */
export function isSecretPath(text: string): boolean {
  return (
    text.length <= 500 &&
    /^(?:~\/|\/)[\w.@+,=/-]*[\w@+,=-]$/.test(text) &&
    !text.split('/').includes('..')
  );
}

/** What the person has agreed to after being asked. */
export const secretConsents = ['replace', 'shared'] as const;
export type SecretConsent = (typeof secretConsents)[number];

/** What came of sending a secret: a file that was read back, or questions, and then nothing was changed. */
export type SendSecretOutcome =
  | { readonly kind: 'sent'; readonly filesystem: string | null; readonly bytes: number }
  | { readonly kind: 'asks'; readonly exists: boolean; readonly sharedFilesystem: string | null };

/** Where a secret goes unless the person says otherwise: in the home folder, in a folder of ours. */
export function usualSecretPath(name: string): string {
  return `~/.config/leasehold/${name}`;
}

/** What to write into a shell or a script on the box to use it; holds no secret. */
export function secretLine(name: string, path: string): string {
  return `export ${name}="$(cat ${path})"`;
}

/** The names under which such tokens are kept in the keyring; everything else there never goes to a box. */
const TOKEN = 'token:';

/** Names of secrets are lower case and know no underscore; variables that differ only in that are one token. */
export function tokenName(name: string): string {
  return `${TOKEN}${name.toLowerCase().replaceAll('_', '-')}`;
}

/** The variable, as variables are usually written; null: what is kept under this name is no token. */
export function variableOfToken(secretName: string): string | null {
  if (!secretName.startsWith(TOKEN)) return null;
  return secretName.slice(TOKEN.length).toUpperCase().replaceAll('-', '_');
}

export type ScriptAnswer =
  | SendSecretOutcome
  | { readonly kind: 'refused'; readonly because: string }
  /** The script wrote something else than it says it did, or did not come to its end. */
  | { readonly kind: 'not-read-back' };

/**
 * What resources/onbox/send-secret.sh printed. "Sent" is said only where mode, size and digest, read from the file in its
 * place, are the expected ones. Noisy start-up files may print around it.
 */
export function parseSendSecret(
  stdout: string,
  expected: { readonly bytes: number; readonly sha256: string },
): ScriptAnswer {
  const value = (word: string): string | null =>
    new RegExp(`^${word} ([\\w.+/-]{1,80})$`, 'm').exec(stdout)?.[1] ?? null;
  const because = value('refused');
  if (because !== null) return { kind: 'refused', because };
  const sharedFilesystem = value('ask shared');
  const exists = /^ask exists$/m.test(stdout);
  if (exists || sharedFilesystem !== null) return { kind: 'asks', exists, sharedFilesystem };
  const isAsExpected =
    /^written$/m.test(stdout) &&
    /^-rw-------\.?$/.test(value('mode') ?? '') &&
    value('size') === String(expected.bytes) &&
    value('sha256') === expected.sha256;
  if (!isAsExpected) return { kind: 'not-read-back' };
  return { kind: 'sent', filesystem: value('fs'), bytes: expected.bytes };
}
