import { isSameProcess, type ProcessRef } from '../runs/process-ref.ts';
import { FAILURE_WORDS } from '../triage/failure-words.ts';
import { failures, type FailureId } from '../triage/failures.ts';
import type { MissingRun } from './judge-vanished.ts';
import type { LookDetectorId, LookJudgement } from './look-detector.ts';
import type { GoneRun, LookRuleId } from './patrol-state.ts';
import { isLookRule } from './select-judged.ts';

/** A run that is gone and is told so, what its log says that went wrong, and the rules that read the same words. */
export interface ToldRun extends ProcessRef, Pick<GoneRun, 'failure' | 'alike'> {}

/**
 * One cause, one alert: what a rule read in the log of a run that is gone, and U3 says of the same run, is not told a second time.
 * `told`: the runs of which U3 tells; it is silent on one that came back. What lasts, as a disk that is still full, is of the box and
 * not of the run, and stays.
 */
export function toldOnce(
  judged: readonly LookJudgement[],
  told: readonly ToldRun[],
): readonly LookJudgement[] {
  return judged.map((each) =>
    isToldByItsRun(each, told) ? { ...each, answer: { kind: 'clear' }, sinceMs: null } : each,
  );
}

function isToldByItsRun(
  { detector, subject, isEvent }: LookJudgement,
  told: readonly ToldRun[],
): boolean {
  if (isEvent !== true || subject.kind !== 'run') return false;
  return told.some(
    (run) =>
      isSameProcess(run, subject) &&
      (isEntryOf(run.failure, detector) || run.alike.some((id) => id === detector)),
  );
}

const isEntryOf = (failure: FailureId | null, detector: LookDetectorId): boolean =>
  failures.some(({ id, entry }) => id === failure && entry === detector);

/**
 * The rules that say of a run that is gone what proves its end, with other steps than those of its class: they rest on the very line,
 * or on words that are of that class. One of a platform says more than one that is true anywhere, and comes first.
 */
export function rulesAlike(
  { run, judgement }: MissingRun,
  judged: readonly LookJudgement[],
): readonly LookRuleId[] {
  if (judgement.kind !== 'gone') return [];
  const { steps, failure } = judgement;
  const proofs = steps.flatMap(({ verdict, because }) => (verdict === 'proven' ? [because] : []));
  const alike = judged.flatMap(({ detector, subject, isEvent, answer }) => {
    if (isEvent !== true || subject.kind !== 'run' || answer.kind !== 'found') return [];
    if (!isLookRule(detector) || !isSameProcess(run, subject)) return [];
    const isSameLine = answer.clues.some(
      (clue) => clue.kind === 'line' && proofs.includes(clue.line),
    );
    const isOfClass = FAILURE_WORDS.some(
      (each) => each.gotcha === detector && each.failure === failure,
    );
    return (isSameLine || isOfClass) && !isEntryOf(failure, detector) ? [detector] : [];
  });
  const isAnywhere = (id: LookRuleId): boolean => /^U\d/.test(id);
  return [...alike].sort((a, b) => Number(isAnywhere(a)) - Number(isAnywhere(b)));
}
