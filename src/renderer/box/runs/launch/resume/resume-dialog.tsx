import { useEffect, useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import type { LaunchedRun } from '../../../../../shared/runs/launch/launched-run.ts';
import type { LaunchPlan } from '../../../../../shared/runs/launch/launch-plan.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../../ui/dialog.tsx';
import { LoadingState } from '../../../../ui/panel-state.tsx';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { LaunchPlanView } from '../launch-plan-view.tsx';
import { runOpened, runsAnswered } from '../launch-view.ts';

interface ResumeDialogProps {
  readonly boxId: string;
  /** The newest of its chain. */
  readonly run: LaunchedRun;
  readonly isUp: boolean;
  readonly onClose: () => void;
}

/** Exactly what going on after a run does; then, after a yes, the run that does it. */
export function ResumeDialog({ boxId, run, isUp, onClose }: ResumeDialogProps) {
  const { id } = run;
  const isQueue = run.queue !== undefined;
  const [plan, setPlan] = useState<LaunchPlan | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isThere = true;
    void call('runs:plan-resume', { boxId, id }).then((answer) => {
      if (!isThere) return;
      setPlan(answer.ok ? answer.value : null);
      setRefusal(answer.ok ? null : answer.error);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, id, tries]);
  return (
    <Dialog
      title={isQueue ? 'Resume the queue' : 'Resume the run'}
      description={
        isQueue
          ? 'A new run goes on with it, by the same command, folder and environment. What has finished does not run again.'
          : 'A new run does the identical command, in the same folder and environment. Its log and its state get a run folder of their own.'
      }
      isWide
      onClose={onClose}
    >
      {plan !== null && (
        <LaunchPlanView
          boxId={boxId}
          key={plan.plan.id}
          plan={plan}
          isUp={isUp}
          onBack={onClose}
          onAgain={() => setTries((before) => before + 1)}
          onLaunched={(runs) => {
            runsAnswered(boxId, runs);
            runOpened(boxId, plan.runId);
          }}
        />
      )}
      {plan === null && refusal === null && (
        <LoadingState title="Checking the box. Nothing is changed on it…" />
      )}
      {plan === null && refusal !== null && (
        <>
          <Refusal problem={refusal} />
          <DialogFooter>
            <Button onClick={onClose}>Close</Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
