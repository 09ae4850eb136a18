// The shape of a benchmark's answer and how it is shown. `npm run bench` (scripts/bench.mjs) runs each bench/*.bench.ts as
// a process of its own; a benchmark ends with one `report({...})`.

/** One measured thing. Goals are ratios within one run where possible: they survive a slower machine. */
export interface BenchRow {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  /** What must be reached, in words: "at most 1.25× bare". */
  readonly goal?: string;
  /** The same thing measured on what we compare with, in the same unit and run. */
  readonly baseline?: number;
  /** value / baseline. */
  readonly ratio?: number;
  /** Whether the goal was reached; absent where there is none. */
  readonly isMet?: boolean;
}

export interface BenchResult {
  readonly name: string;
  readonly rows: readonly BenchRow[];
}

/** Prints a benchmark's answer for the harness: one line of JSON on stdout. */
export function report(result: BenchResult): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Reads the answer from all that a benchmark printed: its last line. A string says what is wrong with it. */
export function parseResult(stdout: string): BenchResult | string {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  let value: unknown;
  try {
    value = JSON.parse(last);
  } catch {
    return `its last line is not JSON: ${last.slice(0, 200)}`;
  }
  if (!isRecord(value) || typeof value['name'] !== 'string' || !Array.isArray(value['rows'])) {
    return `its last line is not {name, rows}: ${last.slice(0, 200)}`;
  }
  const rows: readonly unknown[] = value['rows'];
  const wrong = rows.findIndex((row) => !isRow(row));
  if (wrong !== -1)
    return `row ${String(wrong)} is not {measure, value, unit, …}: ${JSON.stringify(rows[wrong])}`;
  return { name: value['name'], rows: rows.filter(isRow) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function isRow(value: unknown): value is BenchRow {
  if (!isRecord(value)) return false;
  const { measure, value: measured, unit, goal, baseline, ratio, isMet } = value;
  const isNumberOrAbsent = (field: unknown): boolean =>
    field === undefined || Number.isFinite(field);
  return (
    typeof measure === 'string' &&
    Number.isFinite(measured) &&
    typeof unit === 'string' &&
    (goal === undefined || typeof goal === 'string') &&
    isNumberOrAbsent(baseline) &&
    isNumberOrAbsent(ratio) &&
    (isMet === undefined || typeof isMet === 'boolean')
  );
}

const HEADINGS = [
  'benchmark',
  'measure',
  'value',
  'unit',
  'baseline',
  'ratio',
  'goal',
  '',
] as const;

/** The results as a table for people; numbers to the right. */
export function formatTable(results: readonly BenchResult[]): string {
  const lines = results.flatMap(({ name, rows }) =>
    rows.map((row) => [
      name,
      row.measure,
      formatNumber(row.value),
      row.unit,
      row.baseline === undefined ? '' : formatNumber(row.baseline),
      row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}×`,
      row.goal ?? '',
      row.isMet === undefined ? '' : row.isMet ? 'met' : 'MISSED',
    ]),
  );
  const table = [[...HEADINGS], ...lines];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const isNumeric = new Set([2, 4, 5]);
  return table
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return isNumeric.has(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Three significant digits below a thousand, whole numbers with separators above. */
function formatNumber(value: number): string {
  return Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));
}
