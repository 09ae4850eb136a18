import type { Clock, ClockEntries, EntryKey } from '../../../shared/clocks/clock.ts';
import { MAX_EXTENSIONS } from '../../../shared/clocks/clock.ts';
import { isKnownCurrency, microsOf, type Money } from '../../../shared/money.ts';

// What the person says about a clock, as a change to all that they said about the box. Pure.

/** Null takes back what was said. */
export type Entered =
  | { readonly kind: 'moment'; readonly atMs: number | null }
  | { readonly kind: 'span'; readonly ms: number | null }
  | { readonly kind: 'spot'; readonly isSpot: boolean | null };

/** The moment that was entered before; null: none was, or it is none. */
export function toldMoment(entries: ClockEntries, entry: EntryKey): number | null {
  switch (entry.kind) {
    case 'time':
      return entries.times[entry.what] ?? null;
    case 'start':
      return entries.starts[entry.from] ?? null;
    case 'prepaid':
      return entries.prepaidUntilMs;
    case 'deadline':
      return entries.deadlines.find(({ id }) => id === entry.id)?.atMs ?? null;
    default:
      return null;
  }
}

export function tell(
  entries: ClockEntries,
  clock: Clock,
  told: Entered,
  nowMs: number,
): ClockEntries {
  const { entry } = clock;
  if (entry === null) return entries;
  switch (told.kind) {
    case 'moment':
      return tellMoment(entries, clock, entry, told.atMs, nowMs);
    case 'span':
      return entry.kind === 'quota'
        ? { ...entries, quotaUsed: told.ms === null ? null : { ms: told.ms, asOfMs: nowMs } }
        : { ...entries, warningLeadMs: told.ms };
    case 'spot':
      return { ...entries, isSpot: told.isSpot };
  }
}

function tellMoment(
  before: ClockEntries,
  clock: Clock,
  entry: EntryKey,
  atMs: number | null,
  nowMs: number,
): ClockEntries {
  const entries = atMs === null ? before : record(before, clock, entry, atMs, nowMs);
  switch (entry.kind) {
    case 'time':
      return { ...entries, times: put(entries.times, entry.what, atMs) };
    case 'start':
      return {
        ...entries,
        starts: put(entries.starts, entry.from, atMs),
        // Said anew, also where it is the same moment: since then another one may have been measured.
        startsSaidAtMs: put(entries.startsSaidAtMs, entry.from, null),
      };
    case 'prepaid':
      return { ...entries, prepaidUntilMs: atMs };
    case 'deadline': {
      const others = entries.deadlines.filter(({ id }) => id !== entry.id);
      const known = entries.deadlines.find(({ id }) => id === entry.id);
      if (known === undefined) return entries;
      return { ...entries, deadlines: atMs === null ? others : [...others, { ...known, atMs }] };
    }
    default:
      return entries;
  }
}

function put<K extends string>(
  known: Readonly<Partial<Record<K, number>>>,
  key: K,
  atMs: number | null,
): Readonly<Partial<Record<K, number>>> {
  const { [key]: _old, ...others } = known;
  const rest = others as Partial<Record<K, number>>;
  return atMs === null ? rest : { ...rest, [key]: atMs };
}

/** The first time is no extension: nothing was moved. */
function record(
  entries: ClockEntries,
  clock: Clock,
  entry: EntryKey,
  toMs: number,
  nowMs: number,
): ClockEntries {
  const moved = entry.kind === 'start' ? 'start' : 'end';
  const measured = clock.due.kind === 'at' && moved === 'end' ? clock.due.atMs : null;
  const fromMs = toldMoment(entries, entry) ?? measured;
  if (fromMs === null || fromMs === toMs) return entries;
  const extension = { clockId: clock.id, moved, saidAtMs: nowMs, fromMs, toMs } as const;
  return { ...entries, extensions: [...entries.extensions, extension].slice(-MAX_EXTENSIONS) };
}

/** A balance as somebody reads it from a page; below zero is possible. A sentence: why it is none. */
export function readBalance(amount: string, currency: string): Money | string {
  const code = currency.trim().toUpperCase();
  if (!isKnownCurrency(code)) return 'Write the currency as three letters, as in USD or CNY.';
  const text = amount.trim().replace('−', '-');
  const micros = microsOf(text.replace(/^-/, ''));
  if (micros === null) return 'Write the balance as a plain number, as in 12.50.';
  return { micros: text.startsWith('-') ? -micros : micros, currency: code };
}
