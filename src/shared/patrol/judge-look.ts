import type { Problem } from '../problem.ts';
import { lookDetectors } from './detectors/catalog.ts';
import { judgeNoAnswer } from './detectors/gen8-dropped-poll.ts';
import { judgeAbsent } from './judge-absent.ts';
import {
  recallSubject,
  type LookContext,
  type LookDetector,
  type LookJudgement,
} from './look-detector.ts';
import type { PatrolLook } from './patrol-look.ts';
import type { PatrolMemory } from './patrol-memory.ts';

/** What every rule says of one look. `before`: what the look before left, as `rememberLook` made it. */
export function judgeLook(
  look: PatrolLook,
  before: PatrolMemory | null,
  context: LookContext,
): readonly LookJudgement[] {
  const foundBefore = new Map((before?.found ?? []).map(({ key, sinceMs }) => [key, sinceMs]));
  return lookDetectors.flatMap((detector) => {
    const told = detector.judge({
      ...context,
      look,
      before,
      wasFound: (subject) => recallSubject(foundBefore, detector.id, subject) !== undefined,
    });
    const absent = judgeAbsent(detector.id, told, foundBefore.keys(), look);
    return [...told, ...absent].map((each): LookJudgement => {
      const sinceMs = recallSubject(foundBefore, detector.id, each.subject) ?? look.atMs;
      return conclude(detector, look.isWhole ? each : withoutClear(each), sinceMs);
    });
  });
}

/** What is to be said of a box that did not answer: nothing of its runs, and that it is so. */
export function judgeUnreachable(
  before: PatrolMemory | null,
  problem: Problem,
  atMs: number,
): readonly LookJudgement[] {
  return lookDetectors.map((detector) =>
    detector.id === 'GEN8'
      ? conclude(detector, judgeNoAnswer(before, problem.message), atMs)
      : conclude(
          detector,
          {
            subject: { kind: 'box' },
            answer: { kind: 'unknown', because: 'the box did not answer' },
          },
          atMs,
        ),
  );
}

function conclude(
  { id }: LookDetector,
  told: Omit<LookJudgement, 'detector' | 'sinceMs'>,
  sinceMs: number,
): LookJudgement {
  return { ...told, detector: id, sinceMs: told.answer.kind === 'found' ? sinceMs : null };
}

/** What is missing from an answer that ended in the middle might have said otherwise. */
function withoutClear<T extends Pick<LookJudgement, 'answer'>>(told: T): T {
  if (told.answer.kind !== 'clear') return told;
  return { ...told, answer: { kind: 'unknown', because: 'the box’s answer ended in the middle' } };
}
