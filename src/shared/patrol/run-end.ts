import { processKey, type ProcessRef } from '../runs/process-ref.ts';
import type { RunProcess } from '../runs/run.ts';
import {
  leftByBar,
  leftByPace,
  type ProgressMark,
  type TimeSpan,
} from '../runs/progress/left-time.ts';
import { progressIn } from '../runs/progress/pattern-progress.ts';
import type { RunProgress } from '../runs/progress/run-progress.ts';

/** What the log of a run counts. */
export interface RunOutlook {
  readonly progress: Pick<RunProgress, 'unit' | 'atLeast' | 'total'>;
  /** Null: nothing says yet, or any more, how long the rest takes. */
  readonly end: TimeSpan | null;
}

/** What is known of a run at a look. */
export interface LoggedRun extends ProcessRef, Pick<RunProcess, 'sinceMs'> {
  /** The log that it wrote to last; `lastLines` null: they could not be read. */
  readonly log: {
    readonly path: string;
    readonly writtenAtMs: number;
    readonly lastLines: readonly string[] | null;
  } | null;
}

interface Seen {
  readonly first: ProgressMark;
  readonly last: ProgressMark;
  /** Its count fell back: it counts one of several rounds, and not the run. */
  readonly isOfRound: boolean;
}

/** Nobody rents a box for longer on the word of a progress bar. */
const MAX_LEFT_MS = 400 * 86_400_000;
/** A bar that has lasted for less of the run than this is one of several. */
const MAIN_BAR_SHARE = 0.5;
/** Bars tell whole seconds. */
const BAR_ROUNDS_MS = 1000;
/** So many parts late, and the log has gone silent: what it said last tells nothing any more. */
const SILENT_PARTS = 5;
const SILENT_MS = 600_000;

/** Follows the counts of a box's runs from look to look. Knows no clock. */
export class RunEnds {
  #seen = new Map<string, Seen>();

  /**
   * By the key of the run’s process; one that is not in it counts nothing of which the end is known. `progressOf`: how the log at that
   * path tells progress, as its request says.
   */
  look(
    atMs: number,
    runs: readonly LoggedRun[],
    progressOf: (logPath: string) => readonly string[] = none,
  ): ReadonlyMap<string, RunOutlook> {
    const outlooks = new Map<string, RunOutlook>();
    const seen = new Map<string, Seen>();
    for (const run of runs) {
      const key = processKey(run);
      const before = this.#seen.get(key);
      const mark = markOf(run, atMs, progressOf);
      const now = mark === null ? before : follow(before, mark);
      if (now === undefined) continue;
      seen.set(key, now);
      const { progress } = now.last;
      if (now.isOfRound || progress.atLeast >= progress.total || isOneOfSeveral(run, now.last))
        continue;
      const { unit, atLeast, total } = progress;
      // A line between two counts takes nothing back; a log that goes silent does.
      const end = endOf(before?.last ?? null, now, atMs);
      outlooks.set(key, { progress: { unit, atLeast, total }, end });
    }
    this.#seen = seen;
    return outlooks;
  }
}

const none = (): readonly string[] => [];

function markOf(
  { log }: LoggedRun,
  atMs: number,
  progressOf: (logPath: string) => readonly string[],
): ProgressMark | null {
  const said = log?.lastLines?.at(-1)?.trim() ?? null;
  if (log === null || said === null || log.writtenAtMs > atMs) return null;
  const progress = progressIn(said, progressOf(log.path));
  return progress === null ? null : { atMs: log.writtenAtMs, progress };
}

function follow(before: Seen | undefined, mark: ProgressMark): Seen {
  if (before === undefined) return { first: mark, last: mark, isOfRound: false };
  const { first, last, isOfRound } = before;
  const { progress } = last;
  const isSame = progress.unit === mark.progress.unit && progress.total === mark.progress.total;
  if (isSame && mark.progress.atLeast >= progress.atLeast) return { first, last: mark, isOfRound };
  return { first: mark, last: mark, isOfRound: isOfRound || isSame };
}

function endOf(before: ProgressMark | null, { first, last }: Seen, atMs: number): TimeSpan | null {
  const { progress } = last;
  const paced = [first, before].flatMap((mark) =>
    mark === null ? [] : (leftByPace(mark, last) ?? []),
  );
  const lefts = [...paced, ...leftByBar(progress)];
  if (lefts.length === 0) return null;
  const fromMs = last.atMs + Math.min(...lefts.map((left) => left.fromMs));
  const toMs = last.atMs + Math.max(...lefts.map((left) => left.toMs));
  const perPartMs = (toMs - last.atMs) / (progress.total - progress.atLeast);
  const isSilent = atMs - last.atMs > SILENT_PARTS * perPartMs + SILENT_MS;
  if (toMs <= atMs || toMs - atMs > MAX_LEFT_MS || isSilent) return null;
  return { fromMs: Math.max(atMs, fromMs), toMs };
}

/** A bar without a word about epochs, that began long after the run: there were others before it. */
function isOneOfSeveral(
  { sinceMs }: LoggedRun,
  { atMs, progress: { bar } }: ProgressMark,
): boolean {
  if (bar === null || bar.toCome !== null) return false;
  return sinceMs === null || bar.elapsedMs + BAR_ROUNDS_MS < (atMs - sinceMs) * MAIN_BAR_SHARE;
}
