import { useCallback, useEffect, useState } from 'react';
import { create } from 'zustand';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { LeftFiles } from '../../../../shared/transfer/left-files.ts';
import type { PullPlan, PullProgress, RunProof } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';
import { usePull } from '../../../state/launched-runs.ts';

export interface Pull {
  /** What was proven when the results were last brought home; null: they never were, or that is not known yet. */
  readonly proof: RunProof | null;
  readonly plan: PullPlan | null;
  readonly problem: Problem | null;
  /** Of this run; null: its results are not on their way. */
  readonly progress: PullProgress | null;
  /** Why nothing can be brought home now, in a sentence; null: it can. */
  readonly whyNot: string | null;
  /** Asks where to, and shows what that would do. */
  readonly choose: () => void;
  /** Brings home what the plan has shown, but for what is left on the box. */
  readonly start: (left: readonly LeftFiles[]) => void;
  readonly leave: () => void;
  /** A damaged file of what was proven was accepted. */
  readonly accepted: (proof: RunProof) => void;
  /** Goes on with what is paused. */
  readonly resume: () => void;
}

/** What this window asked for, by run: it is answered also when the person has left the page meanwhile. */
interface AskedPull {
  readonly isUnderWay: boolean;
  readonly problem: Problem | null;
}

const NOTHING_ASKED: AskedPull = { isUnderWay: false, problem: null };

export const useAskedPulls = create<Readonly<Record<string, AskedPull>>>(() => ({}));

const asked = (runId: string, pull: AskedPull): void => useAskedPulls.setState({ [runId]: pull });

interface Wanted {
  readonly plan: PullPlan;
  readonly left: readonly LeftFiles[];
}

async function follow(runId: string, coming: ReturnType<typeof bringHome>): Promise<void> {
  asked(runId, { isUnderWay: true, problem: null });
  const answer = await coming;
  asked(runId, { isUnderWay: false, problem: answer.ok ? null : answer.error });
}

const bringHome = (boxId: string, { plan, left }: Wanted) =>
  call('runs:pull', {
    ...{ boxId, plan: planRefOf(plan.plan) },
    left: left.map(({ because, paths }) => ({ because, paths: [...paths] })),
  });

/** The way home of one run's results, from the question where to until they are proven. `onPulled`: what is listed is old now. */
export function usePullOf(boxId: string, runId: string, onPulled: () => void): Pull {
  const [proof, setProof] = useState<RunProof | null>(null);
  const [plan, setPlan] = useState<PullPlan | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const { isUnderWay: isAsked, problem } = useAskedPulls((all) => all[runId] ?? NOTHING_ASKED);
  const ofBox = usePull(boxId);
  const progress = ofBox?.runId === runId ? ofBox : null;
  const isPaused = ofBox?.stage === 'paused';
  const isCutOff = ofBox?.stage === 'cut-off';
  const isHeld = isPaused || isCutOff;
  const isUnderWay = isAsked || (progress !== null && !isHeld);
  // A round gives way to what a person asks for.
  const isOwn = isAsked || (ofBox !== null && ofBox.isRound !== true);
  // Read back from the evidence each time one has ended, whoever began it.
  useEffect(() => {
    if (isUnderWay) return undefined;
    let isThere = true;
    void call('runs:proof', { boxId, id: runId }).then((answer) => {
      if (!isThere) return;
      if (answer.ok) setProof(answer.value);
      else setRefusal(answer.error);
    });
    return () => {
      isThere = false;
    };
  }, [boxId, runId, isUnderWay]);
  useEffect(() => (isUnderWay ? onPulled : undefined), [isUnderWay, onPulled]);
  const choose = useCallback(async () => {
    setRefusal(null);
    asked(runId, NOTHING_ASKED);
    setIsChoosing(true);
    const answer = await call('runs:plan-pull', { boxId, id: runId });
    setIsChoosing(false);
    if (answer.ok) setPlan(answer.value);
    else setRefusal(answer.error);
  }, [boxId, runId]);
  const start = useCallback(
    (left: readonly LeftFiles[]) => {
      if (plan === null) return;
      setPlan(null);
      void follow(runId, bringHome(boxId, { plan, left }));
    },
    [boxId, runId, plan],
  );
  const whyNot = isHeld
    ? progress === null
      ? 'The results of another run of this box are paused on their way'
      : isCutOff
        ? 'It goes on by itself; stop it first'
        : 'Resume or stop what is paused first'
    : isOwn && isUnderWay
      ? 'They are on their way home'
      : isOwn
        ? 'The results of another run of this box are on their way home'
        : isChoosing
          ? 'Choose a folder first'
          : null;
  return {
    ...{ proof, plan, progress, whyNot, start, accepted: setProof },
    // Of what is paused the bar says so.
    problem: refusal ?? (isHeld ? null : problem),
    choose: () => void choose(),
    leave: () => setPlan(null),
    resume: () => void follow(runId, call('runs:resume-pull', { boxId })),
  };
}
