import { expect } from 'vitest';
import { BoxDetectors } from '../detectors/box-detectors.ts';
import { LIVE } from '../detectors/cases.fixture.ts';
import { liveDetectors } from '../detectors/catalog.ts';
import type { Answer, DetectorId } from '../detectors/finding.ts';
import type { LookDetectorId, LookJudgement } from './look-detector.ts';
import type { PatrolLook } from './patrol-look.ts';
import { selectJudged } from './select-judged.ts';
import { selectSeen } from './select-seen.ts';

/** Rules over live readings that have an id of the patrol's, too: of the box as a whole they answer. */
const LIVE_IDS = new Set<string>(liveDetectors.map(({ id }) => id));

/** That the window is told of a look what this rule says of it: each thing that it found, and otherwise clear or why not. */
export function expectReported(
  look: PatrolLook,
  judged: readonly LookJudgement[],
  id: LookDetectorId,
  answer: Answer['kind'],
): void {
  const box = new BoxDetectors();
  box.useTelemetry(LIVE);
  box.usePatrol({
    seen: selectSeen(look, [], null),
    judged: selectJudged(judged),
    phase: { kind: 'waiting', nextAtMs: look.atMs + 300_000, pace: 'usual' },
  });
  box.judge(look.atMs);
  const { findings, unknown, clear } = box.findings;
  const found = findings.filter(({ detector }) => detector === id);
  expect(
    found.map(({ subject, notSeenBecause, lastSeenMs }) => [subject, notSeenBecause, lastSeenMs]),
  ).toEqual(
    judged.flatMap((each) =>
      each.detector === id && each.answer.kind === 'found' ? [[each.subject, null, look.atMs]] : [],
    ),
  );
  if (answer === 'found' || LIVE_IDS.has(id)) return;
  expect(unknown.some(({ detector }) => detector === id)).toBe(answer === 'unknown');
  if (answer !== 'clear') return;
  expect(clear.flatMap(({ detectors }) => detectors)).toContain(id as DetectorId);
}
