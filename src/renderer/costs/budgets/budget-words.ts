import type { BudgetAnswer, JudgedBudget } from '../../../shared/meter/budget.ts';
import type { Budget } from '../../../shared/meter/price-entries.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Tone } from '../../ui/glyph.tsx';

export const PER_WORDS: Readonly<Record<Budget['per'], string>> = {
  day: 'a day',
  month: 'a month',
  ever: 'in total',
};

export const BUDGET_TONES: Readonly<Record<BudgetAnswer['kind'], Tone>> = {
  within: 'ok',
  near: 'warn',
  over: 'danger',
  unsure: 'unknown',
};

export function scopeWords({ scope }: Budget, nameOf: (boxId: string) => string | null): string {
  switch (scope.kind) {
    case 'all':
      return 'All boxes';
    case 'box':
      return nameOf(scope.boxId) ?? 'A box that is not in the list any more';
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
