import { useCallback, useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import type {
  ContinuousPlan,
  ContinuousPull,
} from '../../../../../shared/transfer/continuous/continuous-pull.ts';
import { call } from '../../../../state/bridge.ts';
import { useContinuousPulls } from '../../../../state/launched-runs.ts';

export interface Continuous {
  /** Null: it is off. */
  readonly pull: ContinuousPull | null;
  readonly plan: ContinuousPlan | null;
  readonly problem: Problem | null;
  readonly isChoosing: boolean;
  /** Asks where to, and shows what would come. */
  readonly choose: () => void;
  readonly leave: () => void;
}

/** Whether new results of a run come home by themselves, and the way to have them do so. */
export function useContinuousOf(boxId: string, runId: string): Continuous {
  const pull = useContinuousPulls(boxId).find((each) => each.runId === runId) ?? null;
  const [plan, setPlan] = useState<ContinuousPlan | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const choose = useCallback(async () => {
    setProblem(null);
    setIsChoosing(true);
    const answer = await call('runs:plan-continuous', { boxId, id: runId });
    setIsChoosing(false);
    if (answer.ok) setPlan(answer.value);
    else setProblem(answer.error);
  }, [boxId, runId]);
  return {
    ...{ pull, plan, problem, isChoosing },
    choose: () => void choose(),
    leave: () => setPlan(null),
  };
}
