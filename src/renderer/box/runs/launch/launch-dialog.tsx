import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { LaunchPlan } from '../../../../shared/runs/launch/launch-plan.ts';
import type { LaunchedRuns } from '../../../../shared/runs/launch/launched-run.ts';
import type { RunRequest } from '../../../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../../../shared/runs/queue/queue-cell.ts';
import { call } from '../../../state/bridge.ts';
import { selectEntry, useFleet } from '../../../state/feeds.ts';
import { runsChosen } from '../../../state/view.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { LaunchForm } from './launch-form.tsx';
import { LaunchPlanView } from './launch-plan-view.tsx';
import {
  formTyped,
  queueTyped,
  runOpened,
  runsAnswered,
  selectLaunchView,
  useLaunchView,
} from './launch-view.ts';

interface LaunchDialogProps {
  readonly boxId: string;
  /** Whether a queue was asked for, whatever was typed before. */
  readonly isQueue: boolean;
  /** Whether a request file is asked for at once. */
  readonly isFromFile: boolean;
  readonly onClose: () => void;
}

type Stage =
  | { readonly kind: 'asking'; readonly problem: Problem | null }
  | { readonly kind: 'planning' }
  | { readonly kind: 'shown'; readonly plan: LaunchPlan; readonly again: () => void };

/** What is to run; then exactly what that does to the box; then, after a yes, the run. */
export function LaunchDialog({ boxId, isQueue, isFromFile, onClose }: LaunchDialogProps) {
  const entry = useFleet(selectEntry(boxId));
  const { form, queue } = useLaunchView(selectLaunchView(boxId));
  // Kept with the form only once something of the queue is typed or chosen.
  const [isAsked, setIsAsked] = useState(isQueue);
  const [asksForFile, setAsksForFile] = useState(isFromFile);
  const [stage, setStage] = useState<Stage>({ kind: 'asking', problem: null });
  const isUp = entry?.link.kind === 'up';
  // Whoever closed the dialog while it launched is somewhere else by now, and stays there.
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);

  async function plan(request: RunRequest, cells: QueueRequest | null): Promise<void> {
    // Who comes back from the plan to the form is not asked once more.
    setAsksForFile(false);
    setStage({ kind: 'planning' });
    const answer = await call('runs:plan', { boxId, request, queue: cells });
    setStage(
      answer.ok
        ? { kind: 'shown', plan: answer.value, again: () => void plan(request, cells) }
        : { kind: 'asking', problem: answer.error },
    );
  }

  function launched(id: string, runs: LaunchedRuns): void {
    runsAnswered(boxId, runs);
    if (!isThere.current) return;
    runOpened(boxId, id);
    runsChosen(boxId);
  }

  return (
    <Dialog
      title={`Launch a run on ${entry?.box.name ?? 'this box'}`}
      description="It runs on the box by itself: it goes on when the connection drops and when Leasehold is closed."
      isWide
      onClose={onClose}
    >
      {stage.kind === 'shown' ? (
        <LaunchPlanView
          boxId={boxId}
          plan={stage.plan}
          isUp={isUp}
          onBack={() => setStage({ kind: 'asking', problem: null })}
          onAgain={stage.again}
          onLaunched={(runs) => launched(stage.plan.runId, runs)}
        />
      ) : (
        <LaunchForm
          boxId={boxId}
          form={form}
          queue={isAsked ? { ...queue, isOn: true } : queue}
          isUp={isUp}
          isBusy={stage.kind === 'planning'}
          isFromFile={asksForFile}
          problem={stage.kind === 'asking' ? stage.problem : null}
          onForm={(next) => formTyped(boxId, next)}
          onQueue={(next) => {
            setIsAsked(false);
            queueTyped(boxId, next);
          }}
          onRequest={(request, cells) => void plan(request, cells)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
