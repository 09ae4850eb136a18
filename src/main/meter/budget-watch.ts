import { judgeBudgetMark, type BudgetMark, type JudgedBudget } from '../../shared/meter/budget.ts';
import { budgetMarks, type Budget } from '../../shared/meter/price-entries.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { windowOf, type Budgets } from './budgets.ts';

const LOOK_EVERY_MS = 60_000;

export interface BudgetWatchOptions {
  readonly budgets: Budgets;
  readonly entries: EntriesTable;
  readonly onAlarm: (judged: JudgedBudget) => void;
  readonly onProblem: (found: Problem) => void;
  readonly now?: () => number;
}

/** Tells when a budget is nearly used up and when it is: once each, over restarts too (decision 24). */
export class BudgetWatch {
  readonly #options: BudgetWatchOptions;
  readonly #now: () => number;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Told once, not every minute. */
  #isRefused = false;

  constructor(options: BudgetWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  set(budgets: readonly Budget[]): Result<null, Problem> {
    const kept = this.#options.budgets.set(budgets, this.#now());
    if (kept.ok) this.look();
    return kept;
  }

  look(): void {
    const { budgets, entries, onAlarm, onProblem } = this.#options;
    const nowMs = this.#now();
    const judged = budgets.judge(nowMs);
    const before = entries.read('', 'budget-marks', budgetMarks);
    for (const read of [judged, before]) {
      if (!read.ok && !this.#isRefused) onProblem(read.error);
    }
    this.#isRefused = !judged.ok || !before.ok;
    if (!judged.ok || !before.ok) return;
    const marks: Record<string, BudgetMark> = {};
    const due: JudgedBudget[] = [];
    for (const each of judged.value) {
      const { id } = each.budget;
      const fromMs = windowOf(each.budget, nowMs)?.fromMs ?? 0;
      const { mark, isDue } = judgeBudgetMark(before.value?.[id] ?? null, each, fromMs);
      if (mark !== null) marks[id] = mark;
      if (isDue) due.push(each);
    }
    if (due.length === 0) return;
    // The news first, which keeps it: a crash between the two makes it ring twice, never not at all (decision 33).
    for (const each of due) onAlarm(each);
    const kept = entries.write('', 'budget-marks', marks, nowMs);
    if (!kept.ok) onProblem(kept.error);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
