import { formatMoney } from '../money.ts';
import type { JudgedBudget } from './budget.ts';
import type { Budget } from './price-entries.ts';

const PER_WORDS: Readonly<Record<Budget['per'], string>> = {
  day: 'a day',
  month: 'a month',
  ever: 'in total',
};

export function scopeWords({ budget: { scope }, boxName }: JudgedBudget): string {
  switch (scope.kind) {
    case 'all':
      return 'All boxes';
    case 'box':
      return boxName ?? 'A box that is not in the list any more';
    case 'tag':
      return `Tag ${scope.tag}`;
  }
}

/** `$8.00 of $10.00 a day`, and what that means. */
export function budgetWords({ budget, answer }: JudgedBudget): string {
  const spent = `${formatMoney(answer.spent)} of ${formatMoney(budget.limit)} ${PER_WORDS[budget.per]}`;
  switch (answer.kind) {
    case 'within':
      return `${spent}: within`;
    case 'near':
      return `${spent}: nearly used up`;
    case 'over':
      return `${spent}: used up`;
    case 'unsure':
      return `at least ${spent}: not certain, because ${answer.because}`;
  }
}

export interface BudgetText {
  readonly title: string;
  readonly body: string;
}

/** What a notification says. */
export function budgetText(judged: JudgedBudget): BudgetText {
  const name = scopeWords(judged);
  const isOver = judged.answer.kind === 'over';
  return {
    title: `${name}: the budget is ${isOver ? '' : 'nearly '}used up`,
    body: `${budgetWords(judged)}. Leasehold stops nothing by itself.`,
  };
}
