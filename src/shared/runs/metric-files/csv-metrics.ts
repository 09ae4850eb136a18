import type { SeriesSet } from '../progress/series-set.ts';

const MAX_LINE_CHARS = 16 * 1024;
const MAX_COLUMNS = 200;
const STEP =
  /^(?:global_?step|_?steps?|iter|iters|iteration|iterations|updates?|num_updates|batch)$/i;
const EPOCH = /^epochs?$/i;
/** Seconds since 1970, as loggers write them. */
const TIME = /^_?(?:timestamp|wall_?time|time)$/i;

/** Whether a column or a field counts the steps of a training. */
export const isStepName = (name: string): boolean => STEP.test(name);
const NUMBER = /^[-+]?(?:\d{1,18}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,3})?$/;

/**
 * Reads a table of figures as it grows: a line of names, then a row each time. As Lightning's CSVLogger, Keras and Ultralytics write
 * it; a cell that is empty is no value. Linear, and bounded in what it keeps.
 */
export class CsvMetricsReader {
  readonly #series: SeriesSet;
  #names: readonly string[] | null = null;
  #half = '';
  /** Of a line that is too long nothing is read. */
  #isTooLong = false;

  constructor(series: SeriesSet) {
    this.#series = series;
  }

  take(text: string): void {
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      const line = this.#half + text.slice(at, Math.min(end, at + MAX_LINE_CHARS + 1));
      if (!this.#isTooLong && line.length <= MAX_LINE_CHARS) this.#line(line);
      this.#half = '';
      this.#isTooLong = false;
      at = end + 1;
    }
    if (this.#isTooLong) return;
    this.#half += text.slice(at, at + MAX_LINE_CHARS + 1);
    if (this.#half.length <= MAX_LINE_CHARS) return;
    this.#half = '';
    this.#isTooLong = true;
  }

  #line(raw: string): void {
    const cells = cellsOf(raw);
    if (cells.every((cell) => cell === '')) return;
    // A header that comes again is that of a run which went on in the same file.
    if (cells.every((cell) => numberOf(cell) === null)) {
      this.#names = cells;
      return;
    }
    if (this.#names === null) return;
    let step: number | null = null;
    let epoch: number | null = null;
    let atMs: number | null = null;
    const values: { readonly name: string; readonly value: number }[] = [];
    this.#names.forEach((name, i) => {
      const value = numberOf(cells[i] ?? '');
      if (value === null) return;
      if (STEP.test(name)) step ??= Number.isSafeInteger(value) ? value : null;
      else if (EPOCH.test(name)) epoch ??= value;
      else if (TIME.test(name)) atMs = value > 1e9 && value < 1e11 ? value * 1000 : null;
      else if (name !== '') values.push({ name, value });
    });
    for (const { name, value } of values) this.#series.add(name, step ?? epoch, atMs, value);
  }
}

/** Quotes stand around a cell that has a comma in it, and are doubled inside. */
function cellsOf(line: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const letter of line.endsWith('\r') ? line.slice(0, -1) : line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === ',' && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
      if (cells.length >= MAX_COLUMNS) return cells;
    } else cell += letter;
  }
  return [...cells, cell.trim()];
}

function numberOf(cell: string): number | null {
  if (NUMBER.test(cell)) return Number(cell);
  if (/^nan$/i.test(cell)) return NaN;
  const [, sign] = /^([-+]?)inf(?:inity)?$/i.exec(cell) ?? [];
  return sign === undefined ? null : sign === '-' ? -Infinity : Infinity;
}
