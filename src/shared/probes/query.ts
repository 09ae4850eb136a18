import type { GpuFacts } from '../telemetry/gpu-facts.ts';
import {
  classifyGpuToolFailure,
  isGpuToolFailureDetail,
  type GpuToolFailure,
} from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { excerpt, nonBlankLines, type ProbeOutput } from './probe-output.ts';

/** One cell of `--format=csv`. */
export type QueryCell =
  | { readonly kind: 'value'; readonly text: string; readonly unit: string | null }
  /** Not a value, and the tool's word for why: `N/A`, `GPU is lost`, `empty` … */
  | { readonly kind: 'missing'; readonly because: string };

/** One row by field name, without the unit: `memory.total`, not `memory.total [MiB]`. */
export type QueryRow = Readonly<Record<string, QueryCell>>;

export interface QueryOutput extends ProbeOutput<QueryRow> {
  /** Field names in printed order, of the last header; empty without one. */
  readonly fields: readonly string[];
  readonly failures: readonly GpuToolFailure[];
}

/** One header line, ready for reading rows with it. */
export interface QueryHeader {
  readonly fields: readonly string[];
  readonly units: readonly (string | null)[];
  /** The one column whose text may hold commas; -1 when there is none. */
  readonly textColumn: number;
}

const SEPARATOR = ', ';
const HEADER_CELL = /^([a-z][\w.]*)(?: \[([^\]]{1,12})\])?$/i;
/** One of these, or a dot or underscore, tells a header from a row of lower-case words. */
const PLAIN_FIELDS = new Set([
  'timestamp',
  'index',
  'uuid',
  'name',
  'serial',
  'count',
  'pid',
  'pstate',
]);
/** Process names hold commas in the wild; card names come next. */
const TEXT_FIELDS = ['process_name', 'name', 'gpu_name'];

/**
 * Reads any `--query-…` in CSV: cards, compute apps, accounted apps, retired pages. Fields are found by the header, which
 * may come again. Without a header a cell could be anything, so such rows are unreadable. `mayBeCut`: nobody knows whether
 * this is all that was printed, so that a last figure without unit and line end is not believed ("17" of "177").
 */
export function parseQuery(text: string, mayBeCut = false): QueryOutput {
  const rows: QueryRow[] = [];
  const unreadable: string[] = [];
  const failures: GpuToolFailure[] = [];
  let header: QueryHeader | null = null;
  const lines = nonBlankLines(text);
  const cut = mayBeCut && !text.endsWith('\n') ? lines.at(-1) : undefined;
  for (const [place, line] of lines.entries()) {
    const isCut = place === lines.length - 1 && cut !== undefined && /\d$/.test(cut);
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) failures.push(failure);
    else if (line.length > MAX_LINE_CHARS || isCut) unreadable.push(excerpt(line));
    else if (!isGpuToolFailureDetail(line)) {
      const next = parseQueryHeader(line);
      if (next !== null) header = next;
      else {
        const row = header === null ? null : parseQueryRow(line, header);
        if (row === null || isDamaged(row)) unreadable.push(excerpt(line));
        if (row !== null) rows.push(row);
      }
    }
  }
  return { rows, unreadable, failures, fields: header?.fields ?? [] };
}

const DAMAGED = 'unreadable';

/** A cell holds what cannot stand there: the others may be read, but somebody else wrote into this line. */
export function isDamaged(row: QueryRow): boolean {
  // Without a list of the cells: each card of each look is asked.
  for (const field in row) if (isDamagedCell(row[field])) return true;
  return false;
}

const isDamagedCell = (cell: QueryCell | undefined): boolean =>
  cell?.kind === 'missing' && cell.because === DAMAGED;

/** Null: the row does not say which GPU it is. */
export function toGpuFacts(row: QueryRow): GpuFacts | null {
  const index = numberOf(row, 'index', null);
  const uuid = textOf(row, 'uuid');
  const name = textOf(row, 'name');
  if (index === null || !Number.isInteger(index) || uuid === null || name === null) return null;
  return {
    index,
    uuid,
    name,
    // Drivers from 610 on call it kmd_version.
    driverVersion: textOf(row, 'driver_version') ?? textOf(row, 'kmd_version'),
    memoryTotalMiB: numberOf(row, 'memory.total', 'MiB'),
    powerLimitW: numberOf(row, 'power.limit', 'W'),
    maxSmClockMHz: numberOf(row, 'clocks.max.sm', 'MHz'),
  };
}

export function cellOf(row: QueryRow, field: string): QueryCell {
  const cell = Object.hasOwn(row, field) ? row[field] : undefined;
  return cell ?? { kind: 'missing', because: 'not asked for' };
}

/** The text of a value; null when it is missing. */
export function textOf(row: QueryRow, field: string): string | null {
  const cell = cellOf(row, field);
  return cell.kind === 'value' ? cell.text : null;
}

/** A figure in exactly this unit; null when it is missing, in another unit, negative or no number. */
export function numberOf(row: QueryRow, field: string, unit: string | null): number | null {
  const cell = cellOf(row, field);
  if (cell.kind !== 'value' || cell.unit !== unit) return null;
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(cell.text) ? Number(cell.text) : null;
}

/** Each row is asked whether it is a header, and its first cell, a number or a time, tells that it is none. */
const FIRST_CELL = /^\s*[a-z][\w.]*(?: \[[^\]]{1,12}\])?\s*(?:, |$)/i;

/** Null: the line is no header. */
export function parseQueryHeader(line: string): QueryHeader | null {
  if (!FIRST_CELL.test(line)) return null;
  const fields: string[] = [];
  const units: (string | null)[] = [];
  for (const cell of line.trim().split(SEPARATOR)) {
    const [, field, unit = null] = HEADER_CELL.exec(cell) ?? [];
    if (field === undefined) return null;
    fields.push(field);
    units.push(unit);
  }
  const isHeader =
    fields.some((field) => PLAIN_FIELDS.has(field) || /[._]/.test(field)) &&
    new Set(fields).size === fields.length;
  if (!isHeader) return null;
  const textField = TEXT_FIELDS.find((field) => fields.includes(field));
  return {
    fields,
    units,
    textColumn: textField === undefined ? -1 : fields.indexOf(textField),
  };
}

/** Null: another number of cells than the header has. */
export function parseQueryRow(
  line: string,
  { fields, units, textColumn }: QueryHeader,
): QueryRow | null {
  const pieces = line.split(SEPARATOR);
  const surplus = pieces.length - fields.length;
  if (surplus < 0 || (surplus > 0 && textColumn < 0)) return null;
  // Too many pieces: the text column holds separators, and the columns after it are counted from the end.
  const cells =
    surplus === 0
      ? pieces
      : [
          ...pieces.slice(0, textColumn),
          pieces.slice(textColumn, textColumn + surplus + 1).join(SEPARATOR),
          ...pieces.slice(textColumn + surplus + 1),
        ];
  // Without a list of pairs between: some fifty cells for each card of each look. A field begins with a letter (HEADER_CELL).
  const row: Record<string, QueryCell> = {};
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i] as string;
    row[field] = parseCell(field, cells[i] ?? '', units[i] ?? null);
  }
  return row;
}

const BRACKETED = /^\[(.*)\]$/;
const BARE_MISSING = new Set([
  'N/A',
  'ERR!',
  'Unknown Error',
  'GPU is lost',
  'GPU requires reset',
  'Insufficient Permissions',
  'Function Not Found',
  'Requested functionality has been deprecated',
]);

/** Far beyond any card, so that only damage is refused. */
const MAXIMA: Readonly<Record<string, number>> = {
  '%': 100,
  W: 100_000,
  MHz: 100_000,
  MiB: 2 ** 24,
};
const MAX_CELSIUS = 250;
/** Fields without a unit that are numbers all the same. */
const CELSIUS = /^temperature\./;
const COUNT =
  /^(?:index|pid|count|ecc\.errors\.(?:un)?corrected\..+\.(?:total|dram|sram)|pcie\.link\.(?:gen|width)\..+)$/;

function parseCell(field: string, raw: string, unit: string | null): QueryCell {
  const text = raw.trim();
  if (text === '') return { kind: 'missing', because: 'empty' };
  const because = BRACKETED.exec(text)?.[1];
  if (because !== undefined) return { kind: 'missing', because };
  if (BARE_MISSING.has(text)) return { kind: 'missing', because: text };
  // A fabric that is not supported is a state of the fabric.
  if (text === 'Not Supported' && !field.startsWith('fabric.')) {
    return { kind: 'missing', because: text };
  }
  if (unit === null) {
    return canStand(field, text)
      ? { kind: 'value', text, unit: null }
      : { kind: 'missing', because: DAMAGED };
  }
  // With `nounits` the header keeps the unit and the cell loses it. A cell in another unit keeps its own.
  const [, digits, printed = unit] = /^(\d{1,15}(?:\.\d{1,6})?)(?: (\S{1,12}))?$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) > maxOf(field, printed)) {
    return WORDS.test(text)
      ? { kind: 'missing', because: text }
      : { kind: 'missing', because: DAMAGED };
  }
  return { kind: 'value', text: digits, unit: printed };
}

/** Words for why there is no figure that no driver is known to print without brackets. */
const WORDS = /^[A-Za-z][A-Za-z !/.]{0,60}$/;

function canStand(field: string, text: string): boolean {
  if (CELSIUS.test(field)) return /^-?\d{1,3}$/.test(text) && Math.abs(Number(text)) <= MAX_CELSIUS;
  return !COUNT.test(field) || /^\d{1,15}$/.test(text);
}

function maxOf(field: string, unit: string): number {
  // More than 100 % is what the manual allows of a fan.
  return field === 'fan.speed' ? 999 : (MAXIMA[unit] ?? Number.MAX_SAFE_INTEGER);
}
