import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { BudgetAnswer } from '../../../shared/meter/budget.ts';
import type { FollowedBudget } from '../../../shared/meter/budget-course.ts';
import { budgetWords, scopeWords } from '../../../shared/meter/budget-words.ts';
import type { Budget } from '../../../shared/meter/price-entries.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { usePagePart } from '../../state/page-part.ts';
import { newBudgetChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { useClock } from '../../ui/clock.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import type { CostBox } from '../cost-groups.ts';
import styles from '../costs.module.css';
import { BudgetChart } from './budget-chart.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import own from './budgets.module.css';

const AGAIN_EVERY_MS = 30_000;

const BUDGET_TONES: Readonly<Record<BudgetAnswer['kind'], Tone>> = {
  within: 'ok',
  near: 'warn',
  over: 'danger',
  unsure: 'unknown',
};

const COURSE_WORDS: Readonly<Record<Budget['per'], string>> = {
  day: 'Spent today, hour by hour',
  month: 'Spent this month, day by day',
  ever: '',
};

/** What the person wants to stay within, and whether they do. */
export function BudgetsSection({ boxes }: { readonly boxes: readonly CostBox[] }) {
  const titleId = useId();
  const turn = useClock((nowMs) => Math.floor(nowMs / AGAIN_EVERY_MS));
  const [judged, setJudged] = useState<readonly FollowedBudget[] | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [saves, setSaves] = useState(0);
  const [changed, setChanged] = useState<Budget | null>(null);
  const [isNew, setIsNew] = usePagePart('new-budget');
  useEffect(() => {
    let isCurrent = true;
    void call('meter:budgets', {}).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setJudged(answer.value);
      else setRefusal(answer.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [turn, saves]);
  const budgets = (judged ?? []).map(({ budget }) => budget);

  async function save(wanted: readonly Budget[]): Promise<boolean> {
    setRefusal(null);
    const answer = await call('meter:set-budgets', { budgets: [...wanted] });
    if (answer.ok) setSaves((count) => count + 1);
    else setRefusal(answer.error);
    return answer.ok;
  }

  function close(): void {
    setIsNew(false);
    setChanged(null);
  }

  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Budgets</h2>
        <Button size="small" disabled={judged === null} onClick={newBudgetChosen}>
          <Plus size={14} aria-hidden /> Add budget…
        </Button>
      </div>
      <Refusal problem={refusal} />
      {judged?.length === 0 && (
        <p className={styles['hint']}>
          None is set. A budget tells you at 80 % and when it is used up; it stops nothing.
        </p>
      )}
      <ul className={own['list']}>
        {judged?.map((each) => {
          const { budget, answer, course } = each;
          const name = scopeWords(each);
          return (
            <li key={budget.id}>
              <Glyph tone={BUDGET_TONES[answer.kind]} />
              <div className={own['what']}>
                <b>{name}</b> <span>{budgetWords(each)}</span>
                {'share' in answer && (
                  <div className={own['bar']} data-kind={answer.kind} aria-hidden="true">
                    <span style={{ width: `${String(Math.min(100, answer.share * 100))}%` }} />
                  </div>
                )}
              </div>
              <Button
                size="small"
                aria-label={`Change the budget of ${name}`}
                onClick={() => setChanged(budget)}
              >
                Change…
              </Button>
              <Button
                size="small"
                look="quiet"
                isIcon
                aria-label={`Remove the budget of ${name}`}
                title="Remove"
                onClick={() => void save(budgets.filter(({ id }) => id !== budget.id))}
              >
                <Trash2 size={15} aria-hidden />
              </Button>
              {course !== null && (
                <details className={own['course']}>
                  <summary>{COURSE_WORDS[budget.per]}</summary>
                  <BudgetChart name={name} budget={budget} course={course} />
                </details>
              )}
            </li>
          );
        })}
      </ul>
      {/* Not before the others are known: they are saved with it. */}
      {judged !== null && (isNew || changed !== null) && (
        <BudgetDialog
          budget={isNew ? null : changed}
          boxes={boxes}
          onClose={close}
          onSave={async (budget) => {
            const others = budgets.filter(({ id }) => id !== budget.id);
            if (await save([...others, budget])) close();
          }}
        />
      )}
    </section>
  );
}
