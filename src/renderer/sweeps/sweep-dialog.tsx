import { useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import type { SweepDraft, SweepPlan, WantedShare } from '../../shared/runs/sweep/sweep-plan.ts';
import { call } from '../state/bridge.ts';
import { sweepsChosen } from '../state/view.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SweepFields } from './sweep-fields.tsx';
import { SweepPlanView } from './sweep-plan-view.tsx';

type Stage =
  | { readonly kind: 'asking'; readonly problem: Problem | null }
  | { readonly kind: 'planning' }
  | { readonly kind: 'shown'; readonly plan: SweepPlan; readonly again: () => void };

/** What is to run where; then exactly what that does to each box; then, after a yes, the sweep. */
export function SweepDialog({ onClose }: { readonly onClose: () => void }) {
  const [stage, setStage] = useState<Stage>({ kind: 'asking', problem: null });

  async function plan(draft: SweepDraft, shares: readonly WantedShare[]): Promise<void> {
    setStage({ kind: 'planning' });
    const answer = await call('runs:plan-sweep', {
      draft,
      shares: shares.map(({ boxId, cells }) => ({ boxId, cells: [...cells] })),
    });
    setStage(
      answer.ok
        ? { kind: 'shown', plan: answer.value, again: () => void plan(draft, shares) }
        : { kind: 'asking', problem: answer.error },
    );
  }

  return (
    <Dialog
      title="Launch a sweep"
      description="One command with many settings, over one or more boxes. Each box goes through its cells by itself, also when Leasehold is closed."
      isWide
      onClose={onClose}
    >
      {stage.kind === 'shown' ? (
        <SweepPlanView
          key={stage.plan.plan.id}
          plan={stage.plan}
          onBack={() => setStage({ kind: 'asking', problem: null })}
          onAgain={stage.again}
          onLaunched={sweepsChosen}
        />
      ) : (
        <SweepFields
          isBusy={stage.kind === 'planning'}
          problem={stage.kind === 'asking' ? stage.problem : null}
          onDraft={(draft, shares) => void plan(draft, shares)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
