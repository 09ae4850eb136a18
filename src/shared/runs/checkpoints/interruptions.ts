import type { GoneRun } from '../../patrol/patrol-state.ts';
import type { Profile, TimerStart } from '../../profiles/profile.ts';
import type { LaunchedRun } from '../launch/launched-run.ts';
import { endOf } from '../launch/run-words.ts';
import type { BoxUp } from './box-ups.ts';
import { meanRangeOf } from './count-range.ts';
import { isTakenAway, type EndClues } from './platform-ends.ts';

/** What is known of how often a box cuts off what runs on it. */
export interface Interruptions {
  readonly count: number;
  /** The time in which the box was seen to be up, or something launched ran on it. */
  readonly watchedMs: number;
  /** A timer of the platform that ends whatever runs; null: the facts name none. */
  readonly fixedEnd: FixedEnd | null;
}

/** As the profile tells it. */
export interface FixedEnd {
  readonly forMs: number;
  readonly trigger: string;
  readonly isEstimate: boolean;
}

/** What Leasehold has seen of a box so far. */
export interface SeenOfBox {
  readonly runs: readonly LaunchedRun[];
  readonly ups: readonly BoxUp[];
  /** Runs that the patrols missed, whoever started them. */
  readonly gone: readonly Pick<GoneRun, 'cause' | 'lastSeenMs' | 'missedMs'>[];
  /** When it was looked at last. */
  readonly atMs: number;
  readonly ends: EndClues;
}

/** Of less nobody can tell how often a box fails. */
export const LEAST_WATCHED_MS = 3_600_000;
/** Nor of fewer: one of them may be chance, and none says only that it is rare. */
export const FEWEST = 2;

/** A restart so soon after a run was lost came of the same, or of the person who put it right. */
const SAME_MS = 3_600_000;
/** Two clocks, and the look that found it. */
const GRAIN_MS = 60_000;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What ran beside each other: it was lost to the same restart. */
interface Group extends Span {
  toMs: number;
  restarts: boolean;
  kills: number;
}

/** From one time of the box to the next, or since the last one, it was not up for a moment at least. */
interface Break extends Span {
  readonly next: number;
  lostRun: boolean;
  /** A person entered that it was stopped, and nothing tells that the platform did it. */
  readonly isAsked: boolean;
}

export function countInterruptions(
  { runs, ups, gone, atMs, ends }: SeenOfBox,
  fixedEnd: FixedEnd | null,
): Interruptions {
  const groups = groupsOf(runs, atMs);
  const breaks = breaksOf(ups, ends);
  const breakAt = (ms: number, fromOf: (each: Break) => number): Break | undefined =>
    breaks.find((each) => fromOf(each) <= ms && ms < each.next);
  let count = 0;
  const lostAtMs: number[] = [];
  for (const { toMs, restarts, kills } of groups) {
    count += kills;
    if (!restarts) continue;
    lostAtMs.push(toMs);
    const restart = breakAt(toMs, ({ fromMs }) => fromMs);
    if (restart === undefined) count += 1;
    else restart.lostRun = true;
  }
  const missed: Span[] = [];
  for (const { cause, lastSeenMs: fromMs, missedMs: toMs } of gone) {
    if (cause === null || !TAKES_A_RUN.has(cause)) continue;
    const restart = breakAt(fromMs, (each) => each.toMs - SAME_MS);
    if (restart !== undefined) restart.lostRun = true;
    else if (!RESTARTS.has(cause)) missed.push({ fromMs, toMs });
  }
  for (const { fromMs, toMs } of unionOf(missed)) {
    const isKnown = lostAtMs.some((ms) => ms >= fromMs - GRAIN_MS && ms <= toMs + GRAIN_MS);
    if (!isKnown) count += 1;
  }
  count += breaks.filter(({ isAsked, lostRun }) => lostRun || !isAsked).length;
  return {
    count,
    watchedMs: unionOf([...groups, ...ups]).reduce((sum, each) => sum + each.toMs - each.fromMs, 0),
    fixedEnd,
  };
}

/** A restart that no life of the box shows is told by the launched runs alone. */
const RESTARTS: ReadonlySet<string> = new Set(['reboot', 'container-restart']);
/** What the box or its platform did. Who killed a process, or why one is gone without a proof, nobody knows. */
const TAKES_A_RUN: ReadonlySet<string> = new Set([...RESTARTS, 'preempted', 'gpu-fault']);

/** A stop that a person entered is no interruption, unless it took a run with it. */
function breaksOf(ups: readonly BoxUp[], ends: EndClues): readonly Break[] {
  return ups.flatMap((up, at) => {
    const { fromMs, toMs, isStoppedAfter } = up;
    const next = ups[at + 1]?.fromMs ?? Infinity;
    // What nobody sees any more may only be out of reach.
    if (next === Infinity && !isStoppedAfter) return [];
    const isAsked = isStoppedAfter && !isTakenAway(up, ends);
    return [{ fromMs, toMs, next, isAsked, lostRun: false }];
  });
}

function groupsOf(runs: readonly LaunchedRun[], atMs: number): readonly Group[] {
  const spans = runs.flatMap((run) => spanOf(run, atMs)).sort((a, b) => a.fromMs - b.fromMs);
  const groups: Group[] = [];
  for (const span of spans) {
    const last = groups.at(-1);
    if (last === undefined || span.fromMs > last.toMs) groups.push({ ...span });
    else {
      last.toMs = Math.max(last.toMs, span.toMs);
      last.restarts ||= span.restarts;
      last.kills += span.kills;
    }
  }
  return groups;
}

function spanOf(run: LaunchedRun, atMs: number): readonly Group[] {
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

function unionOf(spans: readonly Span[]): readonly Span[] {
  const union: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = union.at(-1);
    if (last === undefined || fromMs > last.toMs) union.push({ fromMs, toMs });
    else last.toMs = Math.max(last.toMs, toMs);
  }
  return union;
}

/**
 * What a platform ends by itself so long after the box has started. Of timers that begin with a kind of session a person has to have
 * said that it is one: `begun`.
 */
export function fixedEndOf(
  profile: Profile | null,
  begun: ReadonlySet<TimerStart>,
): FixedEnd | null {
  const ends = (profile?.clocks ?? []).flatMap(({ rule, trigger, danger }): FixedEnd[] => {
    if (rule.kind !== 'after' || danger === 'money' || danger === 'none') return [];
    const isSession = rule.from.endsWith('notebook-started') && begun.has(rule.from);
    return rule.from === 'started' || isSession
      ? [{ forMs: rule.for, trigger, isEstimate: rule.isEstimate }]
      : [];
  });
  return ends.sort((a, b) => a.forMs - b.forMs)[0] ?? null;
}

/** The mean time between interruptions. */
export interface MeanBetween {
  readonly meanMs: number;
  /** Between which it lies, 90 times of 100; null: it is no count. */
  readonly rangeMs: readonly [number, number] | null;
}

/** Null: too little is known. Where too few were counted, what the facts of the platform tell stands in for them. */
export function meanBetween({ count, watchedMs, fixedEnd }: Interruptions): MeanBetween | null {
  if (isTelling({ count, watchedMs })) {
    const [few, many] = meanRangeOf(count);
    return { meanMs: watchedMs / count, rangeMs: [watchedMs / many, watchedMs / few] };
  }
  return fixedEnd === null ? null : { meanMs: fixedEnd.forMs, rangeMs: null };
}

export const isTelling = ({
  count,
  watchedMs,
}: Pick<Interruptions, 'count' | 'watchedMs'>): boolean =>
  count >= FEWEST && watchedMs >= LEAST_WATCHED_MS;
