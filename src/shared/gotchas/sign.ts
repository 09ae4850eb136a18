/** More is no sign but a paragraph. */
export const MAX_SIGN_CHARS = 120;
export const GAP = '…';
/** What "…" stands for may be this long. */
const MAX_GAP_CHARS = 120;

/**
 * What a log says when something happens: its very words, in any case. "…" stands for anything on the same line, "^" at the
 * beginning for the beginning of a line. No regular expressions: a person's own file must not be able to hang the search.
 */
export interface Sign {
  readonly parts: readonly string[];
  readonly isAtLineStart: boolean;
  /** How much it says: the number of characters that must be there. */
  readonly chars: number;
}

export function parseSign(text: string): Sign {
  const isAtLineStart = text.startsWith('^');
  const parts = (isAtLineStart ? text.slice(1) : text)
    .toLowerCase()
    .split(GAP)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return { parts, isAtLineStart, chars: parts.join('').length };
}

/** Where the sign stands for the last time in a text in small letters; -1: nowhere. */
export function lastPlaceOf({ parts, isAtLineStart }: Sign, text: string): number {
  const [first, ...rest] = parts;
  if (first === undefined) return -1;
  for (let at = text.lastIndexOf(first); at >= 0; at = before(text, first, at)) {
    const begins = !isAtLineStart || at === 0 || text[at - 1] === '\n';
    if (begins && followsOnLine(text, at + first.length, rest)) return at;
  }
  return -1;
}

function before(text: string, part: string, at: number): number {
  return at === 0 ? -1 : text.lastIndexOf(part, at - 1);
}

function followsOnLine(text: string, from: number, parts: readonly string[]): boolean {
  let at = from;
  for (const part of parts) {
    // Never further than the gap: a line of a megabyte must not be read once for each of its words.
    const next = text.slice(at, at + MAX_GAP_CHARS + part.length);
    const place = next.indexOf(part);
    const lineEnd = next.indexOf('\n');
    if (place < 0 || (lineEnd >= 0 && lineEnd < place)) return false;
    at += place + part.length;
  }
  return true;
}
