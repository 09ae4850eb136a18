import type { Correction, Interval, Transfer } from '../../../shared/meter/interval.ts';
import type { Ledger } from '../../../shared/meter/ledger.ts';

/** One line of the ledger as the list shows it. */
export interface LedgerRow {
  readonly no: number;
  readonly atMs: number;
  readonly line:
    | { readonly kind: 'time'; readonly interval: Interval }
    | { readonly kind: 'transfer'; readonly transfer: Transfer };
  /** Why it counts no more; null: it counts. */
  readonly takenOut: Correction | null;
}

export type LedgerFilter = 'counted' | 'unresolved' | 'all';

/** The newest first. */
export function ledgerRows(
  { intervals, transfers, corrections }: Ledger,
  filter: LedgerFilter,
): readonly LedgerRow[] {
  const takenOut = new Map(corrections.map((each) => [each.voids, each]));
  const rows: LedgerRow[] = [
    ...intervals.map((interval): LedgerRow => ({
      no: interval.no,
      atMs: interval.fromMs,
      line: { kind: 'time', interval },
      takenOut: takenOut.get(interval.no) ?? null,
    })),
    ...transfers.map((transfer): LedgerRow => ({
      no: transfer.no,
      atMs: transfer.atMs,
      line: { kind: 'transfer', transfer },
      takenOut: takenOut.get(transfer.no) ?? null,
    })),
  ];
  return rows
    .filter((row) => filter === 'all' || row.takenOut === null)
    .filter((row) => filter !== 'unresolved' || isUnresolved(row))
    .sort((a, b) => b.atMs - a.atMs || b.no - a.no);
}

export function isUnresolved({ line, takenOut }: LedgerRow): boolean {
  return takenOut === null && line.kind === 'time' && line.interval.source === 'unresolved';
}
