import { useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import type { SweepPlan, WantedShare } from '../../shared/runs/sweep/sweep-plan.ts';
import type { SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { call } from '../state/bridge.ts';
import { sweepsChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { useBoxSplit } from './box-split.ts';
import { SplitFields } from './split-fields.tsx';
import { speedIn } from './sweep-speed.ts';
import { SweepPlanView } from './sweep-plan-view.tsx';
import styles from './sweep-form.module.css';

interface AgainDialogProps {
  readonly sweepId: string;
  readonly view: SweepView;
  /** By their place in the roster. */
  readonly places: readonly number[];
  readonly onClose: () => void;
}

type Stage =
  | { readonly kind: 'asking'; readonly problem: Problem | null }
  | { readonly kind: 'planning' }
  | { readonly kind: 'shown'; readonly plan: SweepPlan };

const SHOWN = 5;

/** The very same cells once more, on the same boxes or on others. */
export function AgainDialog({ sweepId, view, places, onClose }: AgainDialogProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'asking', problem: null });
  const [isTried, setIsTried] = useState(false);
  const speeds = speedIn(view);
  const split = useBoxSplit(places, {
    speedOf: (boxId) => speeds.get(boxId) ?? null,
    cannotOf: (boxId) =>
      view.shares.some((share) => share.boxId === boxId && share.presence === 'alive')
        ? 'its queue of this sweep goes on'
        : null,
  });
  const names = places
    .slice(0, SHOWN)
    .map((place) => plainLine(view.roster?.cells[place]?.name ?? '', 100));

  async function plan(shares: readonly WantedShare[]): Promise<void> {
    setIsTried(true);
    if (split.error !== null || stage.kind === 'planning') return;
    setStage({ kind: 'planning' });
    const answer = await call('runs:plan-again', {
      sweep: sweepId,
      shares: shares.map(({ boxId, cells }) => ({ boxId, cells: [...cells] })),
    });
    setStage(
      answer.ok ? { kind: 'shown', plan: answer.value } : { kind: 'asking', problem: answer.error },
    );
  }

  return (
    <Dialog
      title={`Run ${formatCount(places.length, 'cell')} again`}
      description="By the identical command, in the same folder, as a new queue of this sweep. What lies in their results folders stays there."
      isWide
      onClose={onClose}
    >
      {stage.kind === 'shown' ? (
        <SweepPlanView
          key={stage.plan.plan.id}
          plan={stage.plan}
          onBack={() => setStage({ kind: 'asking', problem: null })}
          onAgain={() => void plan(split.shares)}
          onLaunched={() => {
            onClose();
            sweepsChosen(sweepId);
          }}
        />
      ) : (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            void plan(split.shares);
          }}
        >
          <p>
            {names.join(', ')}
            {places.length > SHOWN && ` and ${formatCount(places.length - SHOWN, 'more cell')}`}
          </p>
          <SplitFields split={split} isTried={isTried} />
          <div role="status" className={styles['status']}>
            {stage.kind === 'planning' && (
              <p className={styles['line']}>
                <Glyph tone="wait" />
                Checking every box. Nothing is changed on them…
              </p>
            )}
          </div>
          <Refusal problem={stage.kind === 'asking' ? stage.problem : null} />
          <DialogFooter>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={stage.kind === 'planning'}>
              Show plan
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
