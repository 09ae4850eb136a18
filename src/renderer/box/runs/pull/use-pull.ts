import { useCallback, useEffect, useState } from 'react';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { PullPlan, RunProof } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';

export interface Pull {
  /** What was proven when the results were last brought home; null: they never were, or that is not known yet. */
  readonly proof: RunProof | null;
  readonly plan: PullPlan | null;
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  /** Asks where to, and shows what that would do. */
  readonly choose: () => void;
  readonly start: () => void;
  readonly leave: () => void;
}

/** The way home of one run's results, from the question where to until they are proven. */
export function usePullOf(boxId: string, runId: string, onPulled: () => void): Pull {
  const [proof, setProof] = useState<RunProof | null>(null);
  const [plan, setPlan] = useState<PullPlan | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    let isThere = true;
    void call('runs:proof', { boxId, id: runId }).then((answer) => {
      if (!isThere) return;
      if (answer.ok) setProof(answer.value);
      else setProblem(answer.error);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId]);
  const choose = useCallback(async () => {
    setProblem(null);
    setIsBusy(true);
    const answer = await call('runs:plan-pull', { boxId, id: runId });
    setIsBusy(false);
    if (answer.ok) setPlan(answer.value);
    else setProblem(answer.error);
  }, [boxId, runId]);
  const start = useCallback(async () => {
    if (plan === null) return;
    setPlan(null);
    setIsBusy(true);
    const answer = await call('runs:pull', { boxId, plan: planRefOf(plan.plan) });
    setIsBusy(false);
    if (answer.ok) setProof(answer.value);
    else setProblem(answer.error);
    onPulled();
  }, [boxId, plan, onPulled]);
  return {
    ...{ proof, plan, problem, isBusy },
    choose: () => void choose(),
    start: () => void start(),
    leave: () => setPlan(null),
  };
}
