import { printable } from './printable.ts';

/** Lines of a table: a head, rows, columns as wide as they need. Numbers stand to the right. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): readonly string[] {
  const cells = rows.map((row) => head.map((_, column) => cellText(row[column])));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
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
        return isRight[column] === true ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...cells.map(line)];
}

/** `1 GPU`, `8 GPUs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Escaped here, not only when it is written: the columns would be of another width afterwards. */
function cellText(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return printable(String(value));
}
