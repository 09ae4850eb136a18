import { MAX_KEY_PARTS, type NumberKey } from '../../../shared/verify/numbers/number-key.ts';

/** A text, a number with those that JSON lacks and Python writes, a word, or a sign. */
const TOKEN =
  /"([^"\\]*(?:\\.[^"\\]*)*)"|(-?(?:\d[\d.eE+-]*|NaN|Infinity))|[[\]{},:]|true|false|null/g;

interface Level {
  readonly kind: 'list' | 'map';
  /** Of what comes next. */
  part: string | number;
}

/**
 * Each number of a text that has proven to be JSON, with its whole way and letter by letter as it stands there, which no parser keeps. What is nested
 * deeper than any key is passed over.
 */
export function eachJsonNumber(
  text: string,
  take: (parts: NumberKey['parts'], literal: string) => void,
): void {
  const levels: Level[] = [];
  let deeper = 0;
  let isKey = false;
  for (const [token, string, number] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '[' || token === '{') {
      if (levels.length === MAX_KEY_PARTS) deeper += 1;
      else levels.push({ kind: token === '[' ? 'list' : 'map', part: 0 });
      isKey = token === '{';
    } else if (token === ']' || token === '}') {
      if (deeper > 0) deeper -= 1;
      else levels.pop();
      isKey = false;
    } else if (deeper > 0) {
      continue;
    } else if (token === ',') {
      isKey = level?.kind === 'map';
      if (level?.kind === 'list') level.part = Number(level.part) + 1;
    } else if (string !== undefined && isKey && level !== undefined) {
      level.part = JSON.parse(token) as string;
      isKey = false;
    } else if (number !== undefined && level !== undefined) {
      take(
        levels.map(({ part }) => part),
        number,
      );
    }
  }
}
