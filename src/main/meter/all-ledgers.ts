import { z } from 'zod';
import type { Box } from '../../shared/boxes/box.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import type { Ledger } from '../../shared/meter/ledger.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';

/** Whose money it is: what sums are made by. */
export type LedgerBox = Pick<Box, 'name' | 'platform' | 'tags'>;

/** What one box cost, with all that was ever written. */
export interface MeteredLedger {
  readonly boxId: string;
  /** As it was last, where it is not in the list any more; null: nobody knows. */
  readonly owner: LedgerBox | null;
  readonly isListed: boolean;
  readonly ledger: Ledger;
  readonly idle: readonly IdleSpan[];
}

const ledgerBox: z.ZodType<LedgerBox> = z.strictObject({
  name: z.string(),
  platform: z.string(),
  tags: z.array(z.string()),
});

/** With the entries of no box: those of its own go with it. */
function ownerKey(boxId: string): string {
  return `forgotten:${boxId}`;
}

/** A box leaves the list: what it was called last, for the money that it has cost. */
export function keepOwner(
  entries: Pick<EntriesTable, 'write'>,
  boxId: string,
  { name, platform, tags }: LedgerBox,
  nowMs: number,
): Result<null, Problem> {
  return entries.write('', ownerKey(boxId), { name, platform, tags }, nowMs);
}

/** Every ledger there is: what a box cost that is not in the list any more is spent all the same. */
export function allLedgers(
  table: Pick<LedgerTable, 'boxIds' | 'read' | 'readIdle'>,
  entries: Pick<EntriesTable, 'read'>,
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
    const owner = entries.read('', ownerKey(boxId), ledgerBox);
    // A name that cannot be read is one that nobody knows; the money is known.
    const was = owner.ok ? owner.value : null;
    ledgers.push({ boxId, owner: was, isListed: false, ledger: ledger.value, idle: idle.value });
  }
  return ok(ledgers);
}
