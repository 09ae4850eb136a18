import type { JudgedBudget } from '../../meter/budget.ts';
import { budgetText } from '../../meter/budget-words.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

export const budgetNews: NewsKind<JudgedBudget> = {
  kind: 'budget',
  picture: 'moneybag',
  to: EVERYWHERE,
  isKept: true,
  words: (judged) => {
    const { budget, boxName, answer } = judged;
    const { scope } = budget;
    return {
      ...budgetText(judged),
      box: scope.kind === 'box' ? { id: scope.boxId, name: boxName ?? '' } : null,
      severity: answer.kind === 'over' ? 'critical' : 'warn',
      shows: { kind: 'show-costs' },
      about: budget.id,
      quietAt: 'nowhere',
      facts: { share: 'share' in answer ? answer.share : null },
    };
  },
};
