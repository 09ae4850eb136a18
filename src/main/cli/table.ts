import { printable } from './printable.ts';

/** Lines of a table: a head, rows, columns as wide as they need. Numbers stand to the right. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): readonly string[] {
  const cells = rows.map((row) => head.map((_, column) => cellText(row[column])));
  const widths = head.map((title, column) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const isRight = head.map(
    (_, column) =>
      rows.some((row) => typeof row[column] === 'number') &&
      rows.every((row) => typeof row[column] !== 'string'),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, column) => {
        const width = widths[column] ?? 0;
        const space = ' '.repeat(Math.max(0, width - widthOf(text)));
        return isRight[column] === true ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...cells.map(line)];
}

/** `1 GPU`, `8 GPUs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u;

/** In columns of a terminal, of which a Chinese character takes two and an accent that stands apart none. */
function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += WIDE.test(sign) ? 2 : /\p{M}/u.test(sign) ? 0 : 1;
  return width;
}

/** Escaped here, not only when it is written: the columns would be of another width afterwards. */
function cellText(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return printable(String(value));
}
