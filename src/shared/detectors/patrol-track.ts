import type { JudgedLook, LookRuleId, PatrolState } from '../patrol/patrol-state.ts';
import type { Conclusion } from './box-findings.ts';
import { patrolDetectors } from './catalog.ts';
import { subjectKeyOf, type Subject } from './finding.ts';
import { whyNoJudgement } from './patrol-now.ts';
import type { Belief } from './settle.ts';
import type { PatrolDetector } from './view.ts';

const BOX: Subject = { kind: 'box' };

interface Lasting extends Conclusion {
  readonly detector: PatrolDetector;
  readonly belief: Extract<Belief, { kind: 'found' }>;
}

/**
 * What is believed of what the patrols' rules look at: disks and runs each for itself. Nothing has to settle here: the rules
 * have two lines of their own, one to begin and one to leave, and a look comes every few minutes.
 */
export class PatrolTrack {
  /** Found by the last look that could see it. What happened between two looks is not: that is an alert's to remember. */
  #lasting: readonly Lasting[] = [];
  #judged: JudgedLook | null = null;
  #because: string | null = null;
  #conclusions: readonly Conclusion[] | null = null;

  get conclusions(): readonly Conclusion[] {
    return this.#conclusions ?? [];
  }

  /** Answers whether anything is believed otherwise than before. */
  judge(patrol: PatrolState | null, atMs: number): boolean {
    const because = whyNoJudgement(patrol, atMs);
    const judged = because === null ? (patrol?.judged ?? null) : null;
    const isSame = judged === this.#judged && because === this.#because;
    if (this.#conclusions !== null && isSame) return false;
    this.#judged = judged;
    this.#because = because;
    if (judged !== null) this.#take(judged, patrol?.seen?.atMs ?? atMs);
    else this.#lose(because ?? 'nobody knows');
    return true;
  }

  #take(judged: JudgedLook, atMs: number): void {
    const found = judged.found.flatMap(({ detector, subject, sinceMs, seenAtMs, found }) => {
      const lastSeenMs = seenAtMs ?? atMs;
      return conclude(detector, subject, { kind: 'found' as const, sinceMs, lastSeenMs, found });
    });
    const before = new Map(
      this.#lasting.map((each) => [keyOf(each.detector.id, each.subject), each]),
    );
    const unknown = judged.unknown.flatMap(({ detector, subject, because }) => {
      const known = before.get(keyOf(detector, subject)) ?? null;
      const belief = { kind: 'unknown' as const, because, before: known?.belief ?? null };
      return conclude(detector, known?.subject ?? subject, belief);
    });
    const clear = judged.clear.flatMap(({ subject, detectors }) =>
      detectors
        // Of the box as a whole the live rule of that name answers.
        .filter((id) => subject.kind !== 'box' || RULES.get(id)?.isBesideLive === false)
        .flatMap((id) => conclude(id, subject, { kind: 'clear' as const, sinceMs: atMs })),
    );
    this.#lasting = [
      ...found.filter(({ belief }) => belief.found.isEvent !== true),
      ...unknown.flatMap(({ belief: { before: belief }, ...each }) =>
        belief === null ? [] : [{ ...each, belief }],
      ),
    ];
    this.#conclusions = [...found, ...unknown, ...clear];
  }

  #lose(because: string): void {
    const known = this.#lasting.map(({ belief, ...each }) => ({
      ...each,
      belief: { kind: 'unknown' as const, because, before: belief },
    }));
    const told = new Set(known.map(({ detector, subject }) => keyOf(detector.id, subject)));
    const blind = patrolDetectors.filter(
      ({ id, isBesideLive }) => !isBesideLive && !told.has(keyOf(id, BOX)),
    );
    this.#conclusions = [
      ...known,
      ...blind.flatMap(({ id }) =>
        conclude(id, BOX, { kind: 'unknown' as const, because, before: null }),
      ),
    ];
  }
}

const RULES = new Map(patrolDetectors.map((detector) => [detector.id, detector]));

/** Nothing, where the rule's answers are told by another one. */
function conclude<S>(
  id: LookRuleId,
  subject: Subject,
  belief: S,
): readonly { detector: PatrolDetector; subject: Subject; belief: S }[] {
  const detector = RULES.get(id);
  return detector === undefined ? [] : [{ detector, subject, belief }];
}

const keyOf = (detector: LookRuleId, subject: Subject): string =>
  `${detector} ${subjectKeyOf(subject)}`;
