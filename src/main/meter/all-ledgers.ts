import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';
import type { MeteredLedger } from './meter.ts';

/** Every ledger there is: what a box cost that is not in the list any more is spent all the same. */
export function allLedgers(
  table: Pick<LedgerTable, 'boxIds' | 'read' | 'readIdle'>,
  metered: readonly MeteredLedger[],
): Result<readonly MeteredLedger[], Problem> {
  const ids = table.boxIds();
  if (!ids.ok) return ids;
  const known = new Set(metered.map(({ boxId }) => boxId));
  const ledgers = [...metered];
  for (const boxId of ids.value.filter((each) => !known.has(each))) {
    const [ledger, idle] = [table.read(boxId), table.readIdle(boxId)];
    if (!ledger.ok) return ledger;
    if (!idle.ok) return idle;
    const [unreadable] = ledger.value.unreadable;
    // A sum that lacks lines must not pass for all of it.
    if (unreadable !== undefined) return err(unreadable);
    ledgers.push({ boxId, box: null, ledger: ledger.value, idle: idle.value });
  }
  return ok(ledgers);
}
