/** As far back as a line is remembered; more than any secret is long. */
const REMEMBERED_CHARS = 4096;

/**
 * SECURITY: takes secrets out of a log that comes in pieces, also out of a line that is sent before its end: what goes on is judged together with
 * what of its line was sent already, so that no second half of a secret passes by itself.
 */
export class RedactedLine {
  readonly #redact: (text: string) => string;
  /** What of the last line was taken, as it came. */
  #line = '';

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** `isAfterGap`: something between it and what was taken before is missing. */
  take(text: string, isAfterGap: boolean): string {
    const line = isAfterGap ? '' : this.#line;
    const whole = `${line}${text}`;
    const lineEnd = Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf('\r')) + 1;
    this.#line = whole.slice(Math.max(lineEnd, whole.length - REMEMBERED_CHARS));
    const redacted = this.#redact(whole);
    return line === '' ? redacted : redacted.slice(sameChars(this.#redact(line), redacted));
  }
}

/** How many characters both begin with. */
function sameChars(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
