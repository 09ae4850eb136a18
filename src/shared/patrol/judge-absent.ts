import { mayBeSameSubject, type Answer } from '../detectors/finding.ts';
import { isSameProcess, type ProcessInLook } from '../runs/process-ref.ts';
import {
  clear,
  subjectOfKey,
  unknown,
  type LookAnswer,
  type LookDetectorId,
  type LookSubject,
} from './look-detector.ts';
import type { PatrolLook } from './patrol-look.ts';

/**
 * What is to be said of what a rule had found at the look before and does not speak of now: a run that has ended, a disk that
 * is not mounted any more. Without an answer nobody would ever know whether it is over.
 */
export function judgeAbsent(
  detector: LookDetectorId,
  told: readonly LookAnswer[],
  foundBefore: Iterable<string>,
  look: PatrolLook,
): readonly LookAnswer[] {
  const isAllClear = told.some(
    ({ subject, answer }) => subject.kind === 'box' && answer.kind === 'clear',
  );
  return [...foundBefore].flatMap((key): readonly LookAnswer[] => {
    const subject = subjectOfKey(detector, key);
    if (subject === null || told.some((each) => mayBeSameSubject(each.subject, subject))) return [];
    return [isAllClear ? clear(subject) : judgeUnnamed(subject, look)];
  });
}

function judgeUnnamed(subject: LookSubject, look: PatrolLook): LookAnswer {
  switch (subject.kind) {
    case 'box':
      return unknown('this check did not tell');
    case 'mount':
      return isMounted(subject.path, look) === false
        ? clear(subject)
        : unknown('the box did not tell of this disk', subject);
    case 'run':
      return { subject, answer: judgeRun(subject, look) };
  }
}

/** Null: not all were told. */
function isMounted(path: string, { mounts, mountsLeftOut }: PatrolLook): boolean | null {
  if (mounts.some((mount) => mount.path === path)) return true;
  return mounts.length === 0 || mountsLeftOut > 0 ? null : false;
}

function judgeRun(
  subject: Extract<LookSubject, { kind: 'run' }>,
  { runs, processes }: PatrolLook,
): Answer {
  const isSame = (each: ProcessInLook): boolean => isSameProcess(each, subject);
  const run = runs.find(isSame);
  if (run !== undefined) {
    // The rule saw it, and all that it writes, and had nothing to say.
    return run.logs.every(({ end }) => end !== null)
      ? { kind: 'clear' }
      : { kind: 'unknown', because: 'its log could not be read' };
  }
  return processes.isWhole && !processes.rows.some(isSame)
    ? { kind: 'clear' }
    : { kind: 'unknown', because: 'the box did not tell of this run' };
}
