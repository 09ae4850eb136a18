/** What a reader made of a probe's text: every row it could read and every line it could not. */
export interface ProbeOutput<T> {
  readonly rows: readonly T[];
  readonly unreadable: readonly string[];
}

/** Each line that has something on it. Half a million that have nothing, as a box may print, cost next to nothing. */
export function* filledLines(text: string): Generator<string, undefined> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (to > from) yield text.slice(from, to);
    from = to + 1;
  }
}

export function nonBlankLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of filledLines(text)) {
    if (line.trim() !== '') lines.push(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
  return lines;
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
