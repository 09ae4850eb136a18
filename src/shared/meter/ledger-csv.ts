import { isoUtc, LAST_DATE_MS } from '../iso-time.ts';
import { csvText } from '../csv-text.ts';
import { decimalOf } from '../money.ts';
import { costOf, roundToMicros } from './exact.ts';
import type { Correction } from './interval.ts';
import type { Ledger } from './ledger.ts';

/** Whose ledger it is. */
export interface LedgerOwner {
  readonly boxId: string;
  /** As it is or was last; null: nobody knows. */
  readonly name: string | null;
  readonly platform: string | null;
  readonly tags: readonly string[];
  readonly ledger: Ledger;
}

/** Where the ledger was written to. */
export type LedgerExport =
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'saved';
      readonly file: string;
      readonly rows: number;
      readonly bytes: number;
    };

const COLUMNS = [
  'box',
  'box_id',
  'platform',
  'tags',
  'line',
  'from',
  'to',
  'seconds',
  'state',
  'known_how',
  'kind',
  'what',
  'gigabytes',
  'rate',
  'rate_currency',
  'rate_per',
  'amount',
  'counts',
  'taken_out_at',
  'taken_out_by',
  'reason',
] as const;

export type ExportRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** What people or boxes wrote; everything else is made of digits and our own words. */
const TEXTS: ReadonlySet<string> = new Set(['box', 'platform', 'tags', 'what', 'reason']);

const END = '\r\n';

export const CSV_HEADER = `${COLUMNS.join(',')}${END}`;

/**
 * Every line that was ever written, a row for each of its charges, also those that count no more. `amount` is rounded to a
 * millionth; seconds and rate are exact, so it can be computed again.
 */
export function* csvRows(owners: readonly LedgerOwner[]): Generator<string, void> {
  for (const row of exportRows(owners)) {
    const cells = COLUMNS.map((column) => (TEXTS.has(column) ? csvText(row[column]) : row[column]));
    yield `${cells.join(',')}${END}`;
  }
}

/** The same, each row by the names of its columns. */
export function* exportRows(owners: readonly LedgerOwner[]): Generator<ExportRow, void> {
  for (const owner of owners) yield* rowsOf(owner);
}

function* rowsOf({ boxId, name, platform, tags, ledger }: LedgerOwner): Generator<ExportRow, void> {
  const takenOut = new Map(ledger.corrections.map((each) => [each.voids, each]));
  const head = {
    box: name ?? '',
    box_id: boxId,
    platform: platform ?? '',
    tags: tags.join('; '),
  };
  for (const { no, fromMs, ms, phase, source, charges } of ledger.intervals) {
    const time = {
      ...head,
      ...outOf(takenOut.get(no), source === 'unresolved'),
      line: String(no),
      from: isoTime(fromMs),
      to: isoTime(fromMs + ms),
      seconds: thousandths(ms),
      state: phase,
      known_how: source,
      gigabytes: '',
    };
    if (charges.length === 0) {
      yield { ...time, kind: '', what: '', ...NO_PRICE, amount: '0' };
    }
    for (const { kind, what, rate } of charges) {
      const priced = rate === null ? NO_PRICE : priceOf(rate);
      const amount = rate === null ? '' : decimalOf(roundToMicros(costOf(rate, ms)));
      yield { ...time, kind, what, ...priced, amount };
    }
  }
  for (const { no, atMs, what, bytes, rate, source } of ledger.transfers) {
    yield {
      ...head,
      ...outOf(takenOut.get(no), false),
      line: String(no),
      from: isoTime(atMs),
      to: isoTime(atMs),
      seconds: '',
      state: '',
      known_how: source,
      kind: 'egress',
      what,
      gigabytes: gigabytes(bytes),
      ...(rate === null ? NO_PRICE : priceOf(rate)),
      amount: rate === null ? '' : decimalOf(roundToMicros(costOf(rate, bytes))),
    };
  }
}

const NO_PRICE = { rate: '', rate_currency: '', rate_per: '' };

function priceOf(rate: {
  readonly micros: number;
  readonly currency: string;
  readonly per: string;
}): typeof NO_PRICE {
  return { rate: decimalOf(rate.micros), rate_currency: rate.currency, rate_per: rate.per };
}

function outOf(
  correction: Correction | undefined,
  isUnresolved: boolean,
): Pick<ExportRow, 'counts' | 'taken_out_at' | 'taken_out_by' | 'reason'> {
  if (correction === undefined) {
    const counts = isUnresolved ? 'at most' : 'yes';
    return { counts, taken_out_at: '', taken_out_by: '', reason: '' };
  }
  const { atMs, by, reason } = correction;
  return { counts: 'no', taken_out_at: isoTime(atMs), taken_out_by: by, reason };
}

/** `2026-03-28T13:00:00.000+01:00`: the time as it was on this machine, and where that lies in the world. */
export function isoTime(atMs: number): string {
  if (!(Math.abs(atMs) <= LAST_DATE_MS)) return isoUtc(atMs);
  const offsetMin = -new Date(atMs).getTimezoneOffset();
  const local = new Date(atMs + offsetMin * 60_000).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(offsetMin) / 60), Math.abs(offsetMin) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${offsetMin < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

function thousandths(ms: number): string {
  return `${String(Math.floor(ms / 1000))}.${String(ms % 1000).padStart(3, '0')}`;
}

function gigabytes(bytes: number): string {
  const digits = String(bytes).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
