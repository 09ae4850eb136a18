import { judgeBudget, type JudgedBudget } from '../../shared/meter/budget.ts';
import { monthOf, todayOf } from '../../shared/meter/calendar.ts';
import { sumLedgers, type Ledger, type Window } from '../../shared/meter/ledger.ts';
import { budgetEntries, type Budget } from '../../shared/meter/price-entries.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';

export interface BudgetsOptions {
  readonly entries: EntriesTable;
  readonly ledger: LedgerTable;
  /** The boxes in the list, and their ledgers up to this moment. */
  readonly metered: () => readonly {
    readonly boxId: string;
    readonly tags: readonly string[];
    readonly ledger: Ledger;
  }[];
}

/** What the person wants to stay within, and whether they do. */
export class Budgets {
  readonly #options: BudgetsOptions;

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  set(budgets: readonly Budget[], nowMs: number): Result<null, Problem> {
    return this.#options.entries.write('', 'budgets', budgets, nowMs);
  }

  judge(nowMs: number): Result<readonly JudgedBudget[], Problem> {
    const budgets = this.#options.entries.read('', 'budgets', budgetEntries);
    if (!budgets.ok) return budgets;
    const all = this.#withForgotten();
    if (!all.ok) return all;
    return ok(
      (budgets.value ?? []).map((budget) => {
        const ledgers = ledgersOf(budget, this.#options.metered(), all.value);
        return {
          budget,
          answer: judgeBudget(budget.limit, sumLedgers(ledgers, windowOf(budget, nowMs))),
        };
      }),
    );
  }

  /** What a box cost that is not in the list any more is spent all the same. */
  #withForgotten(): Result<readonly Ledger[], Problem> {
    const { ledger, metered } = this.#options;
    const ids = ledger.boxIds();
    if (!ids.ok) return ids;
    const live = new Map(metered().map((each) => [each.boxId, each.ledger]));
    const ledgers = [...live.values()];
    for (const id of ids.value.filter((each) => !live.has(each))) {
      const read = ledger.read(id);
      if (!read.ok) return read;
      const [unreadable] = read.value.unreadable;
      // A sum that lacks lines must not pass for "within".
      if (unreadable !== undefined) return err(unreadable);
      ledgers.push(read.value);
    }
    return ok(ledgers);
  }
}

function ledgersOf(
  { scope }: Budget,
  metered: ReturnType<BudgetsOptions['metered']>,
  all: readonly Ledger[],
): readonly Ledger[] {
  switch (scope.kind) {
    case 'all':
      return all;
    case 'box':
      return metered.filter(({ boxId }) => boxId === scope.boxId).map(({ ledger }) => ledger);
    case 'tag':
      return metered.filter(({ tags }) => tags.includes(scope.tag)).map(({ ledger }) => ledger);
  }
}

function windowOf({ per }: Budget, nowMs: number): Window | null {
  if (per === 'ever') return null;
  return per === 'day' ? todayOf(nowMs) : monthOf(nowMs);
}
