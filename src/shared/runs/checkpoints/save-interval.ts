import type { LaunchedRun } from '../launch/launched-run.ts';
import { endOf } from '../launch/run-words.ts';

/** How often something that ran on a box was cut off, as the box's run folders tell it. */
export interface Interruptions {
  readonly count: number;
  /** The time over which something ran, once where several ran beside each other. */
  readonly watchedMs: number;
}

/** Of less nobody can tell how often a box fails. */
export const LEAST_WATCHED_MS = 3_600_000;

interface Span {
  readonly fromMs: number;
  toMs: number;
  restarts: boolean;
  kills: number;
}

/** `atMs`: when the runs were looked at. */
export function countInterruptions(runs: readonly LaunchedRun[], atMs: number): Interruptions {
  const spans = runs.flatMap((run) => spanOf(run, atMs)).sort((a, b) => a.fromMs - b.fromMs);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.fromMs > last.toMs) merged.push({ ...span });
    else {
      last.toMs = Math.max(last.toMs, span.toMs);
      // Runs beside each other were lost to the same restart.
      last.restarts ||= span.restarts;
      last.kills += span.kills;
    }
  }
  return {
    count: merged.reduce((sum, { restarts, kills }) => sum + Number(restarts) + kills, 0),
    watchedMs: merged.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
  };
}

function spanOf(run: LaunchedRun, atMs: number): readonly Span[] {
  const { launchedAtMs: fromMs, status, log } = run;
  // A lost run lived at least until it last wrote into its log.
  const toMs =
    status.kind === 'running'
      ? atMs
      : status.kind === 'lost'
        ? (log?.modifiedAtMs ?? null)
        : endOf(run);
  if (fromMs === null || toMs === null || toMs < fromMs) return [];
  const because = status.kind === 'lost' ? status.because : null;
  const restarts = because === 'restart' || status.kind === 'cut-off';
  return [{ fromMs, toMs, restarts, kills: Number(because === 'killed') }];
}

/** Mean time between interruptions; null: nothing was cut off, or too little is known. */
export function meanBetween({ count, watchedMs }: Interruptions): number | null {
  return count === 0 || watchedMs < LEAST_WATCHED_MS ? null : watchedMs / count;
}

/**
 * Young's first-order approximation of the time between saves that costs least, saving and lost work together (facts:
 * principles.md §6). Null: it holds only where a save takes far less time than passes between two interruptions.
 */
export function cheapestInterval(saveMs: number, meanMs: number): number | null {
  return saveMs > 0 && saveMs < meanMs / 2 ? Math.sqrt(2 * meanMs * saveMs) : null;
}

/** Whole steps in so much time, rounded down to two digits; null: less than one. */
export function wholeSteps(intervalMs: number, stepMs: number): number | null {
  const steps = Math.floor(intervalMs / stepMs);
  if (steps < 1) return null;
  const grain = 10 ** Math.max(0, String(steps).length - 2);
  return Math.floor(steps / grain) * grain;
}

/** Between these, saves and lost work together cost at most a tenth more than at the best. */
const NEAR = [0.64, 1.56] as const;

export function compareInterval(everyMs: number, bestMs: number): 'often' | 'near' | 'seldom' {
  const ratio = everyMs / bestMs;
  return ratio < NEAR[0] ? 'often' : ratio > NEAR[1] ? 'seldom' : 'near';
}
