import { BOX } from '../patrol/look-detector.ts';
import { selectLost } from '../patrol/lost-runs.ts';
import { MAX_GONE, type GoneRun, type PatrolState } from '../patrol/patrol-state.ts';
import { isByLog, notRuledOut, vanishSays, vanishSeverity } from '../patrol/remediation.ts';
import { processRefOf } from '../runs/process-ref.ts';
import type { Conclusion } from './box-findings.ts';
import { line, type Clue, type Found } from './finding.ts';
import { UNPATROLLED } from './patrol-now.ts';
import type { Belief } from './settle.ts';
import type { RunDetector } from './view.ts';

/** U3. Nothing has to settle: the patrol has looked twice already, and a run that is gone does not come and go. */
export const vanishedRun: RunDetector = {
  id: 'U3',
  scope: 'run',
};

/**
 * Each run that is gone for itself: what a person knows of one, and put off, must not hide another. What is said of the box as a whole
 * is whether there are more: clear, no other run than these is gone.
 */
export function judgeGoneRuns(patrol: PatrolState | null, atMs: number): readonly Conclusion[] {
  const { seen, gone } = patrol ?? { seen: null, gone: [] };
  const lost = selectLost(gone, seen?.runs ?? []);
  return [
    { detector: vanishedRun, subject: BOX, belief: judgeOthers(patrol, atMs) },
    ...lost.map((run): Conclusion => ({
      detector: vanishedRun,
      subject: { kind: 'run', ...processRefOf(run), command: run.command },
      belief: {
        kind: 'found',
        sinceMs: run.missedMs,
        lastSeenMs: Math.max(run.missedMs, seen?.atMs ?? 0),
        found: describe(run),
      },
    })),
  ];
}

function judgeOthers(patrol: PatrolState | null, atMs: number): Belief {
  const because = whyOthersAreUnknown(patrol);
  return because === null
    ? { kind: 'clear', sinceMs: atMs }
    : { kind: 'unknown', because, before: null };
}

function whyOthersAreUnknown(patrol: PatrolState | null): string | null {
  const { seen, failed, gone } = patrol ?? { seen: null, failed: null, gone: [] };
  if (seen === null) return UNPATROLLED;
  if (failed !== null) return `the last check failed: ${failed.problem.message}`;
  if (!seen.isWhole) return 'the box did not tell of all its processes';
  return gone.length < MAX_GONE ? null : 'of more runs that are gone none is remembered';
}

function describe(run: GoneRun): Found {
  const { cause, steps, failure, alike, holdsGpu } = run;
  return {
    kind: 'found',
    severity: vanishSeverity(cause, holdsGpu),
    says: vanishSays(cause, failure, alike),
    wastedShare: null,
    clues: cluesOf(run),
    caveat: notRuledOut(cause, steps),
  };
}

function cluesOf({ command, pid, steps, cause, log }: GoneRun): readonly Clue[] {
  const proof = steps.find((step) => step.cause === cause && step.verdict === 'proven');
  const source =
    proof !== undefined && isByLog(proof) && log !== null
      ? { file: log.path, atMs: Math.round(log.writtenAtMs) }
      : {};
  return [
    line(`${String(pid)} ${command ?? 'command unknown'}`),
    ...(proof === undefined ? [] : [line(proof.because, source)]),
  ];
}
