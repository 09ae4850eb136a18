// How many dmon rows one core reads.
import { DmonReader } from '../src/shared/probes/dmon.ts';
import { report, type BenchRow } from './harness.ts';

const GOAL_ROWS_PER_SECOND = 1_000_000;
const GPUS = 8;
const ROWS = 400_000;
/** What one network read hands over at most. */
const CHUNK_CHARS = 64 * 1024;
const RUNS = 9;

/** Columns and units of `-s pucvmet`, in the widths that the two generations of the tool print. */
const NEWEST = {
  columns:
    'pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk pviol tviol fb bar1 ccpm sbecc dbecc pci rxpci txpci',
  units: 'W C C % % % % % % MHz MHz % bool MB MB MB errs errs errs MB/s MB/s',
  width: 7,
  end: ' \n',
};
const FIVE_WIDE = {
  columns:
    'pwr gtemp mtemp sm mem enc dec mclk pclk pviol tviol fb bar1 sbecc dbecc pci rxpci txpci',
  units: 'W C C % % % % MHz MHz % bool MB MB errs errs errs MB/s MB/s',
  width: 6,
  end: '\n',
};
type Layout = typeof NEWEST;

/** Figures that change from row to row within what a busy 8-GPU box shows; ECC "-" as on most cards. */
const FIGURES: Readonly<Record<string, (row: number) => string>> = {
  pwr: (row) => String(380 + (row % 320)),
  gtemp: (row) => String(41 + (row % 40)),
  mtemp: (row) => String(47 + (row % 45)),
  sm: (row) => String(row % 101),
  mem: (row) => String(row % 60),
  mclk: () => '2619',
  pclk: (row) => String(345 + (row % 1635)),
  fb: (row) => String(row % 81559),
  bar1: () => '3952',
  sbecc: () => '-',
  dbecc: () => '-',
  rxpci: (row) => String(row % 25000),
  txpci: (row) => String(row % 9000),
};

function recordedShape({ columns, units, width, end }: Layout): string {
  const names = columns.split(' ');
  const head = (first: string, cells: readonly string[]): string =>
    `# ${first}${cells.map((cell) => cell.padStart(width)).join('')}${end}`;
  const lines = [head('gpu', names), head('Idx', units.split(' '))];
  for (let row = 0; row < ROWS; row += 1) {
    const cells = names.map((name) => (FIGURES[name]?.(row) ?? '0').padStart(width));
    lines.push(`${String(row % GPUS).padStart(5)}${cells.join('')}${end}`);
  }
  return lines.join('');
}

/**
 * Cuts like a socket does. The pieces are made anew from bytes: slices of one long string would be cheaper than
 * anything that arrives over a link.
 */
function networkReads(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1');
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_CHARS) {
    chunks.push(bytes.toString('latin1', at, at + CHUNK_CHARS));
  }
  return chunks;
}

function readAll(chunks: readonly string[]): number {
  const reader = new DmonReader();
  let rows = 0;
  for (const chunk of chunks) rows += reader.push(chunk).readings.length;
  return rows + reader.end().readings.length;
}

/** The least that any reader has to do: cut the same pieces into lines. */
function splitAll(chunks: readonly string[]): number {
  let lines = 0;
  for (const chunk of chunks) lines += chunk.split('\n').length - 1;
  return lines;
}

/** What one would write without a thought for speed or damage: words, then numbers by name. */
function readPlainly(chunks: readonly string[]): number {
  let names: readonly string[] = [];
  let carry = '';
  let rows = 0;
  for (const chunk of chunks) {
    const lines = (carry + chunk).split('\n');
    carry = lines.pop() ?? '';
    for (const line of lines) {
      const words = line.replace(/^#/, '').trim().split(/\s+/);
      if (words[0] === 'gpu') names = words;
      if (!line.startsWith('#')) {
        const row: Record<string, number | null> = {};
        for (const [i, name] of names.entries()) {
          row[name] = words[i] === '-' ? null : Number(words[i]);
        }
        if (row['gpu'] !== undefined) rows += 1;
      }
    }
  }
  return rows;
}

function medianSeconds(work: () => number, expected: number): number {
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAtMs = performance.now();
    const done = work();
    seconds.push((performance.now() - startedAtMs) / 1000);
    if (done !== expected) throw new Error(`read ${done} of ${expected} rows`);
  }
  seconds.sort((a, b) => a - b);
  return seconds[Math.floor(RUNS / 2)] ?? NaN;
}

function measure(layout: Layout): readonly BenchRow[] {
  const text = recordedShape(layout);
  const chunks = networkReads(text);
  const label = `${layout.columns.split(' ').length + 1} columns`;
  const readingS = medianSeconds(() => readAll(chunks), ROWS);
  const splittingS = medianSeconds(() => splitAll(chunks), ROWS + 2);
  const plainS = medianSeconds(() => readPlainly(chunks), ROWS);
  return [
    {
      measure: `rows per second, one core, ${label} (baseline: words and Number())`,
      value: Math.round(ROWS / readingS),
      unit: 'rows/s',
      baseline: Math.round(ROWS / plainS),
      ratio: rounded(plainS / readingS),
      goal: `at least ${GOAL_ROWS_PER_SECOND.toLocaleString('en')}`,
      isMet: ROWS / readingS >= GOAL_ROWS_PER_SECOND,
    },
    { measure: `text read, ${label}`, value: rounded(text.length / readingS / 1e6), unit: 'MB/s' },
    {
      measure: `time for ${ROWS.toLocaleString('en')} rows, ${label} (baseline: a bare split('\\n'), which reads nothing)`,
      value: rounded(readingS * 1000),
      unit: 'ms',
      baseline: rounded(splittingS * 1000),
      ratio: rounded(readingS / splittingS),
    },
  ];
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

report({ name: 'dmon-reader', rows: [...measure(NEWEST), ...measure(FIVE_WIDE)] });
