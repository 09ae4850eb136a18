import { isVariableName } from '../../secrets/sent-secret.ts';
import { MAX_TEXT_CHARS } from '../../sentinels/sentinel.ts';

// What may stand in the fields of RunNeeds: for the schema of main, and for the window, which has no schema library.

/** No box has more; a slipped digit does. The lists stand in the run's "about", of which a look reads so much and no more. */
export const MAX_NEED = {
  listed: 16,
  patternChars: 80,
  lineChars: 2000,
  gib: 1_000_000,
  gpus: 64,
  kept: 10_000,
  files: 1_000_000_000,
  workers: 1000,
  hours: 10_000,
} as const;

export function patternError(text: string): string | null {
  if (text === '') return 'Give it a value, or remove the line.';
  if (text.length > MAX_NEED.patternChars) {
    return `Use at most ${String(MAX_NEED.patternChars)} characters.`;
  }
  // In the form a comma separates them.
  return /[\0-\u001f,]/.test(text) ? 'Write it on one line, without a comma.' : null;
}

export function lineError(text: string): string | null {
  if (text === '') return 'Give it a value, or remove the line.';
  if (/[\0-\u001f]/.test(text)) return 'Write it on one line.';
  return text.length > MAX_NEED.lineChars
    ? `Use at most ${String(MAX_NEED.lineChars)} characters.`
    : null;
}

/** What a sentinel can wait for. */
export const notifyLineError = (text: string): string | null =>
  text.length > MAX_TEXT_CHARS
    ? `Use at most ${String(MAX_TEXT_CHARS)} characters.`
    : /\p{Cc}/u.test(text)
      ? 'Write it on one line.'
      : lineError(text);

/** As “Send a secret…” takes it: the name is also that of the file. */
export function secretNameError(text: string): string | null {
  return isVariableName(text)
    ? null
    : 'A name has letters, digits and _, begins with no digit, and is the name of a variable: no value.';
}

/** Nothing that a shell or curl would make more of than one address. */
export function addressError(text: string): string | null {
  return /^(?:https?:\/\/)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(?::\d{1,5})?(?:\/[\w./~%+-]{0,200})?$/.test(
    text,
  )
    ? null
    : 'Write an address such as https://huggingface.co or huggingface.co.';
}
