/**
 * The columns of `nvidia-smi dmon` that this version knows (facts/nvidia.md §1.1). Their order here is only the order of
 * the cells in the reader; in the text a column is found by its name.
 */
export interface DmonColumn {
  readonly names: readonly string[];
  /** What the unit row may say. Another unit means that the figure is not what we think it is. */
  readonly units: readonly string[];
  /** Above this it cannot be true: far beyond any card, so that only damage is refused. */
  readonly max: number;
}

const PERCENT = { units: ['%'], max: 100 };
const CELSIUS = { units: ['C'], max: 250 };
const CLOCK = { units: ['MHz'], max: 100_000 };
const MEMORY = { units: ['MB', 'MiB'], max: 16 * 1024 * 1024 };
const ERRORS = { units: ['errs'], max: Number.MAX_SAFE_INTEGER };
const THROUGHPUT = { units: ['MB/s'], max: 10_000_000 };

export const DMON_COLUMNS: readonly DmonColumn[] = [
  { names: ['gpu'], units: ['Idx'], max: 999 },
  { names: ['pwr'], units: ['W'], max: 100_000 },
  { names: ['gtemp', 'temp'], ...CELSIUS }, // `temp`: the oldest layout has one temperature
  { names: ['mtemp'], ...CELSIUS },
  { names: ['sm'], ...PERCENT },
  { names: ['mem'], ...PERCENT },
  { names: ['enc'], ...PERCENT },
  { names: ['dec'], ...PERCENT },
  { names: ['jpg'], ...PERCENT },
  { names: ['ofa'], ...PERCENT },
  { names: ['mclk'], ...CLOCK },
  { names: ['pclk'], ...CLOCK },
  { names: ['pviol'], ...PERCENT },
  { names: ['tviol'], units: ['bool'], max: 1 },
  { names: ['fb'], ...MEMORY },
  { names: ['bar1'], ...MEMORY },
  { names: ['ccpm'], ...MEMORY },
  { names: ['sbecc'], ...ERRORS },
  { names: ['dbecc'], ...ERRORS },
  { names: ['pci'], ...ERRORS },
  { names: ['rxpci'], ...THROUGHPUT },
  { names: ['txpci'], ...THROUGHPUT },
];

/** Cells that belong to no figure. */
export const UNKNOWN_SLOT = -1;
export const DATE_SLOT = -2;
export const TIME_SLOT = -3;

/** One header line, ready for reading rows with it. */
export interface DmonLayout {
  readonly names: readonly string[];
  /** For each column: its place in `DMON_COLUMNS`, or one of the slots above. */
  readonly slots: readonly number[];
  readonly maxima: readonly number[];
  /** Length of the printed header; rows are as long, because columns are right-aligned. */
  readonly width: number;
  /** `--format csv` (drivers from 550 on): commas between the cells. */
  readonly hasCommas: boolean;
}

const SLOTS = new Map<string, number>([
  ...DMON_COLUMNS.flatMap(({ names }, slot) => names.map((name) => [name, slot] as const)),
  ['Date', DATE_SLOT],
  ['Time', TIME_SLOT],
]);
const GPU_SLOT = 0;
const BOX_TIME = new Set(['Date', 'Time', 'YYYYMMDD', 'HH:MM:SS']);

// A header has about 22 columns; longer lines are not worth a regular expression.
const MAX_HEADER_CHARS = 4096;
/** SECURITY: a box may answer with half a million lines, and all of them would be looked at in one turn of main. */
const MAX_BEGINNING_CHARS = 4 * MAX_HEADER_CHARS;
const COLUMN_NAME = /^[A-Za-z][\w.:%/+()-]{0,39}$/;

export type DmonHeaderLine =
  | { readonly kind: 'names'; readonly layout: DmonLayout }
  | { readonly kind: 'units'; readonly units: readonly string[] }
  /** Looks like a header but is none that rows can be read with, so rows after it cannot be read. */
  | { readonly kind: 'foreign' };

/** Null: the line is no header at all. */
export function parseDmonHeader(line: string): DmonHeaderLine | null {
  if (line.length > MAX_HEADER_CHARS) return null;
  // Copying a terminal can lose the `#`; with a date or time column no blank follows it.
  const isMarked = /^\s*#/.test(line);
  const body = line.replace(/^\s*#/, '');
  const hasCommas = body.includes(',');
  const cells = hasCommas ? cellsBetweenCommas(body) : body.trim().split(/\s+/);
  const first = cells.find((cell) => !BOX_TIME.has(cell));
  if (cells.includes('Idx') && (isMarked || first === 'Idx'))
    return { kind: 'units', units: cells };
  // Prose may hold the word "gpu", but not beside the name of a figure.
  const slots = cells.map((name) => SLOTS.get(name) ?? UNKNOWN_SLOT);
  const figures = slots.filter((slot) => slot >= GPU_SLOT);
  if (!(figures.includes(GPU_SLOT) && figures.length > 1)) return null;
  if (!isMarked && first !== 'gpu') return null;
  const isReadable =
    cells.every((name) => COLUMN_NAME.test(name)) &&
    new Set(cells).size === cells.length &&
    new Set(figures).size === figures.length &&
    !cells.includes('pid'); // `pmon` has the same head, but its row is a process
  if (!isReadable) return { kind: 'foreign' };
  const maxima = slots.map((slot) => DMON_COLUMNS[slot]?.max ?? 0);
  return {
    kind: 'names',
    layout: { names: cells, slots, maxima, width: line.trimEnd().length, hasCommas },
  };
}

/** Whether a text begins as one of dmon does; a warning or two may stand in front. */
export function namesDmonColumns(text: string): boolean {
  return text
    .slice(0, MAX_BEGINNING_CHARS)
    .split('\n')
    .some((line) => parseDmonHeader(line)?.kind === 'names');
}

/** The last comma may have nothing behind it. */
export function cellsBetweenCommas(text: string): readonly string[] {
  return text
    .replace(/,\s*$/, '')
    .split(',')
    .map((cell) => cell.trim());
}

/**
 * A column in another unit than the known one is kept by name instead of being read as a figure. Null: the unit row does
 * not belong to this header.
 */
export function applyDmonUnits(layout: DmonLayout, units: readonly string[]): DmonLayout | null {
  if (units.length !== layout.names.length) return null;
  const slots = layout.slots.map((slot, i) => {
    const known = DMON_COLUMNS[slot];
    return known === undefined || known.units.includes(units[i] ?? '') ? slot : UNKNOWN_SLOT;
  });
  return slots.includes(GPU_SLOT) ? { ...layout, slots } : null;
}
