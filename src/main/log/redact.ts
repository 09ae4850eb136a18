import { REDACTED, redactText } from '../../shared/secrets/redact-text.ts';

/** Shorter ones would blot out ordinary words. What is that short is kept out of the log by never being passed to it. */
const MIN_SECRET_LENGTH = 6;

export interface Redactor {
  /** From now on this value is replaced wherever it stands: as it is, and as URLs, JSON and base64 would hold it. */
  readonly register: (secret: string) => void;
  readonly redact: (text: string) => string;
}

export function createRedactor(): Redactor {
  const known = new Set<string>();
  let pattern: RegExp | null = null;
  return {
    register: (secret) => {
      if (secret.length < MIN_SECRET_LENGTH || known.has(secret)) return;
      for (const form of formsOf(secret)) known.add(form);
      // Longest first, so that a secret that contains another is replaced as a whole.
      const byLength = [...known].sort((a, b) => b.length - a.length);
      pattern = new RegExp(byLength.map(escapeForRegExp).join('|'), 'g');
    },
    redact: (text) => redactText(pattern === null ? text : text.replace(pattern, REDACTED)),
  };
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    // Through the bytes, because encodeURIComponent throws at half a surrogate pair.
    encodeURIComponent(bytes.toString('utf8')),
    bytes.toString('base64').replace(/=+$/, ''),
  ];
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
