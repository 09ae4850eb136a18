import { isInSums } from '../../shared/demo/demo-platform.ts';
import { judgeBudget, type JudgedBudget } from '../../shared/meter/budget.ts';
import { budgetCourse, type FollowedBudget } from '../../shared/meter/budget-course.ts';
import { monthOf, todayOf } from '../../shared/meter/calendar.ts';
import { sumLedgers, type Ledger, type Window } from '../../shared/meter/ledger.ts';
import { budgetEntries, type Budget } from '../../shared/meter/price-entries.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { LedgerTable } from '../storage/ledger-table.ts';
import { allLedgers, type MeteredLedger } from './all-ledgers.ts';

export interface BudgetsOptions {
  readonly entries: EntriesTable;
  readonly ledger: LedgerTable;
  /** The boxes in the list, and their ledgers up to this moment. */
  readonly metered: () => readonly MeteredLedger[];
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
    return this.#each(nowMs, (judged) => judged);
  }

  /** The same, each with its way there. */
  follow(nowMs: number): Result<readonly FollowedBudget[], Problem> {
    return this.#each(nowMs, (judged, ledgers) => {
      const { budget } = judged;
      return { ...judged, course: budgetCourse(budget, windowOf(budget, nowMs), ledgers, nowMs) };
    });
  }

  #each<T>(
    nowMs: number,
    then: (judged: JudgedBudget, ledgers: readonly Ledger[]) => T,
  ): Result<readonly T[], Problem> {
    const budgets = this.#options.entries.read('', 'budgets', budgetEntries);
    if (!budgets.ok) return budgets;
    if (budgets.value === null || budgets.value.length === 0) return ok([]);
    const { ledger, entries, metered } = this.#options;
    const all = allLedgers(ledger, entries, metered());
    if (!all.ok) return all;
    return ok(
      budgets.value.map((budget) => {
        const { scope } = budget;
        const ledgers = ledgersOf(budget, all.value);
        const box = scope.kind === 'box' && all.value.find(({ boxId }) => boxId === scope.boxId);
        const judged: JudgedBudget = {
          budget,
          boxName: box ? (box.owner?.name ?? null) : null,
          answer: judgeBudget(budget.limit, sumLedgers(ledgers, windowOf(budget, nowMs))),
        };
        return then(judged, ledgers);
      }),
    );
  }
}

function ledgersOf({ scope }: Budget, all: readonly MeteredLedger[]): readonly Ledger[] {
  return all.filter((each) => isIn(scope, each)).map(({ ledger }) => ledger);
}

function isIn(scope: Budget['scope'], { boxId, owner }: MeteredLedger): boolean {
  switch (scope.kind) {
    case 'all':
      return owner === null || isInSums(owner);
    case 'box':
      return boxId === scope.boxId;
    case 'tag':
      return owner?.tags.includes(scope.tag) === true && isInSums(owner);
  }
}

/** Null: in total. */
export function windowOf({ per }: Budget, nowMs: number): Window | null {
  if (per === 'ever') return null;
  return per === 'day' ? todayOf(nowMs) : monthOf(nowMs);
}
