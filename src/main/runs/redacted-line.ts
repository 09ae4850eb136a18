import { openSecretAt } from '../../shared/secrets/redact-text.ts';

/** As far back as a line is remembered; more than any secret of one line is long. */
const REMEMBERED_CHARS = 4096;
/** As far as a key is waited for that goes over many lines; one of 16384 bits is shorter. What only begins like one must not hide the rest of a log. */
const LONGEST_KEY_CHARS = 16 * 1024;

/** What the beginning of a secret could go on with: letters of a key, parts of a token, the address behind a password, the end of a quote. */
const COULD_FOLLOW = [
  '0'.repeat(80),
  `${'0'.repeat(20)}.${'0'.repeat(20)}.0`,
  '0@',
  '0"',
  "0'",
] as const;

/**
 * SECURITY: takes secrets out of a log that comes in pieces, also out of a line that is sent before its end. What goes on is judged together with
 * what of its line, or of its key of many lines, came already, so that no second half of a secret passes by itself; and what could be the first
 * half of one waits for what follows it.
 */
export class RedactedLine {
  readonly #redact: (text: string) => string;
  /** What of the last line, or of a key that has not ended, was taken, as it came. */
  #taken = '';
  /** What of that was shown. */
  #shown = '';

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** `isAfterGap`: something between it and what was taken before is missing. */
  take(text: string, isAfterGap: boolean): string {
    if (isAfterGap) this.#taken = this.#shown = '';
    const whole = `${this.#taken}${text}`;
    const redacted = this.#redact(whole);
    const from = rememberedFrom(whole);
    const taken = whole.slice(from);
    const held = this.#couldBeSecret(taken);
    const news = redacted.slice(
      sameChars(this.#shown, redacted),
      Math.max(0, redacted.length - held),
    );
    const again = from === 0 ? redacted : this.#redact(taken);
    this.#taken = taken;
    this.#shown = again.slice(0, Math.max(0, again.length - held));
    return news;
  }

  /** What waits for something to follow it, where nothing does. */
  end(): string {
    const redacted = this.#redact(this.#taken);
    const rest = redacted.slice(sameChars(this.#shown, redacted));
    this.#taken = this.#shown = '';
    return rest;
  }

  /** How many of the last characters may be the beginning of a secret. */
  #couldBeSecret(line: string): number {
    const end = line.slice(-REMEMBERED_CHARS);
    if (end === '') return 0;
    const redacted = this.#redact(end);
    const same = COULD_FOLLOW.map((more) => sameChars(redacted, this.#redact(end + more)));
    return redacted.length - Math.min(...same);
  }
}

/** Where what has to be remembered begins: a key that has not ended, or the last line. */
function rememberedFrom(whole: string): number {
  const key = openSecretAt(whole);
  if (key >= 0 && whole.length - key <= LONGEST_KEY_CHARS) return key;
  const lineEnd = Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1;
  return Math.max(lineEnd, whole.length - REMEMBERED_CHARS);
}

/** How many characters both begin with. */
function sameChars(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
