/** What a reader made of a probe's text: every row it could read and every line it could not. */
export interface ProbeOutput<T> {
  readonly rows: readonly T[];
  readonly unreadable: readonly string[];
}

export function nonBlankLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Enough to recognise a line; a box may send one of 100 MB. */
const EXCERPT_CHARS = 200;

/** A line as a clue, cut to a bounded length. Still hostile: whoever shows it escapes it. */
export function excerpt(line: string, maxChars = EXCERPT_CHARS): string {
  if (line.length <= maxChars) return line;
  const isInsidePair = /[\uD800-\uDBFF]/.test(line.charAt(maxChars - 1));
  return `${line.slice(0, isInsidePair ? maxChars - 1 : maxChars)}…`;
}

/** Keeps the first unreadable lines and counts the rest: a flood of noise must not become memory. */
export class UnreadableLines {
  static readonly KEPT = 20;
  readonly #lines: string[] = [];
  #count = 0;

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** All of them, the kept ones included. */
  get count(): number {
    return this.#count;
  }

  add(line: string): void {
    this.#count += 1;
    if (this.#lines.length < UnreadableLines.KEPT) this.#lines.push(excerpt(line));
  }
}
