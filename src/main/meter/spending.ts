import { isInSums } from '../../shared/demo/demo-platform.ts';
import { spentByPeriod } from '../../shared/meter/box-meter.ts';
import { mergeSpans } from '../../shared/meter/idle.ts';
import { countedPart } from '../../shared/meter/ledger.ts';
import { csvRows, CSV_HEADER, type LedgerExport } from '../../shared/meter/ledger-csv.ts';
import { boundsOf, spendByDay, type SpendDays } from '../../shared/meter/spend-days.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';
import { writeLines } from '../telemetry/history-export.ts';
import { allLedgers, type MeteredLedger } from './all-ledgers.ts';

export interface SpendingOptions {
  readonly ledger: LedgerTable;
  readonly entries: EntriesTable;
  readonly metered: () => readonly MeteredLedger[];
}

/** What was spent, looked at as a whole: by day, and as a file. */
export class Spending {
  readonly #options: SpendingOptions;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** Of one box, or of all that there ever were. */
  days(boxId: string | null, days: number, nowMs: number): Result<SpendDays, Problem> {
    const ledgers = this.#ledgers(boxId);
    if (!ledgers.ok) return ledgers;
    const bounds = boundsOf(nowMs, days);
    const boxes = ledgers.value.map(({ boxId: id, owner, isListed, ledger, idle }) => ({
      boxId: id,
      name: owner?.name ?? null,
      platform: owner?.platform ?? null,
      tags: owner?.tags ?? [],
      spent: isListed ? null : spentByPeriod(countedPart(ledger), mergeSpans(idle), nowMs),
      ...spendByDay(ledger, bounds),
    }));
    return ok({ bounds, boxes });
  }

  async exportCsv(boxId: string | null, file: string): Promise<Result<LedgerExport, Problem>> {
    const ledgers = this.#ledgers(boxId);
    if (!ledgers.ok) return ledgers;
    const owners = ledgers.value.map(({ boxId: id, owner, ledger }) => ({
      boxId: id,
      name: owner?.name ?? null,
      platform: owner?.platform ?? null,
      tags: owner?.tags ?? [],
      ledger,
    }));
    const written = await writeLines(file, CSV_HEADER, csvRows(owners));
    return written.ok ? ok({ kind: 'saved', file, ...written.value }) : written;
  }

  #ledgers(boxId: string | null): Result<readonly MeteredLedger[], Problem> {
    const { ledger, entries, metered } = this.#options;
    const all = allLedgers(ledger, entries, metered());
    if (!all.ok) return all;
    const isAsked = (each: MeteredLedger): boolean =>
      boxId === null ? each.owner === null || isInSums(each.owner) : each.boxId === boxId;
    return ok(all.value.filter(isAsked));
  }
}
