import { lowerBound } from '../../../shared/telemetry/downsample.ts';
import { gapWords, type GapReason, type HistoryGap } from '../../../shared/telemetry/history.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { GAP_POINTS, type GpuSeries } from './gpu-series.ts';
import { MAX_POINTS, type TimeAxis } from './time-axis.ts';

/** A part of the axis in which no GPU of the box said anything. */
export interface GapSpan extends TimeAxis {
  /** As it stands in the gap: `Leasehold was closed`. */
  readonly words: string;
}

/** Shorter silences are a hiccup of the stream, not worth a word. */
const LEAST_GAP_MS = 10_000;
/** Nor is a part of a long silence that no eye could tell from a line. */
const MAX_PARTS = 500;

/** Rows came, and every figure in them was a dash, as of a card that fell off the bus. */
const NO_FIGURE = 'no figure was reported';

/**
 * The silences of a window, with the reason where one was noted. What lies before the first reading of all is a gap too:
 * an empty beginning must not look like a card that did nothing.
 */
export function gapSpansOf(
  axis: TimeAxis,
  all: readonly GpuSeries[],
  noted: readonly HistoryGap[],
  /** Why nothing comes right now; null: it is not known. */
  nowBecause: string | null,
): readonly GapSpan[] {
  const found = silences(axis, all);
  // What was noted in main is known to the second, and may be shorter than what wide points can show.
  const leastMs = Math.max(LEAST_GAP_MS, (axis.toMs - axis.fromMs) / MAX_POINTS);
  const between = noted
    .map(({ fromMs, toMs }) => ({
      fromMs: Math.max(fromMs, axis.fromMs),
      toMs: Math.min(toMs, axis.toMs),
    }))
    .filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs)
    .filter((gap) => !found.some(({ fromMs, toMs }) => fromMs < gap.toMs && gap.fromMs < toMs));
  const both = [...found, ...between].sort((a, b) => a.fromMs - b.fromMs);
  return both.flatMap((silence) =>
    partsOf(silence, noted).map(({ reason, ...part }): GapSpan => {
      const isAtEnd = part.toMs >= axis.toMs;
      if (reason !== null && !(isAtEnd && reason === 'unknown' && nowBecause !== null)) {
        return { ...part, words: gapWords[reason] };
      }
      const isBeforeAll = part.fromMs <= axis.fromMs && reason === null;
      // Why nothing comes now says nothing of a time before anything ever came.
      if (isAtEnd && nowBecause !== null && !isBeforeAll) return { ...part, words: nowBecause };
      if (all.some((series) => hasPoint(series, part))) return { ...part, words: NO_FIGURE };
      return { ...part, words: isBeforeAll ? 'nothing recorded' : gapWords.unknown };
    }),
  );
}

interface Part extends TimeAxis {
  /** Null: none was noted. */
  readonly reason: GapReason | null;
}

/** A silence by its reasons: each covers only its own time. What is too short for a word of its own goes with its neighbour. */
function partsOf(silence: TimeAxis, noted: readonly HistoryGap[]): readonly Part[] {
  const { fromMs, toMs } = silence;
  const within = noted
    .map((gap) => ({
      ...gap,
      fromMs: Math.max(gap.fromMs, fromMs),
      toMs: Math.min(gap.toMs, toMs),
    }))
    .filter((gap) => gap.toMs > gap.fromMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  const leastMs = Math.max(LEAST_GAP_MS, (toMs - fromMs) / MAX_PARTS);
  const parts: { fromMs: number; toMs: number; reason: GapReason | null }[] = [];
  const add = (part: Part): void => {
    const last = parts.at(-1);
    const isSmall = part.toMs - part.fromMs < leastMs;
    if (last !== undefined && (isSmall || last.reason === part.reason)) last.toMs = part.toMs;
    else parts.push({ ...part });
  };
  let doneMs = fromMs;
  for (const gap of within) {
    const startMs = Math.max(gap.fromMs, doneMs);
    if (gap.toMs <= startMs) continue;
    if (startMs > doneMs) add({ fromMs: doneMs, toMs: startMs, reason: null });
    add({ fromMs: startMs, toMs: gap.toMs, reason: gap.reason });
    doneMs = gap.toMs;
  }
  if (doneMs < toMs) add({ fromMs: doneMs, toMs, reason: null });
  return mergeShortStart(parts, leastMs);
}

/** The first has no neighbour before it. */
function mergeShortStart(parts: readonly Part[], leastMs: number): readonly Part[] {
  const [first, second, ...rest] = parts;
  if (first === undefined || second === undefined || first.toMs - first.fromMs >= leastMs) {
    return parts;
  }
  return [{ ...second, fromMs: first.fromMs }, ...rest];
}

function silences(axis: TimeAxis, all: readonly GpuSeries[]): readonly TimeAxis[] {
  const heard = all.flatMap(heardIn);
  const found: TimeAxis[] = [];
  let silentFromMs = axis.fromMs;
  for (const { fromMs, toMs } of heard.sort((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs - silentFromMs >= LEAST_GAP_MS && silentFromMs < axis.toMs) {
      found.push({ fromMs: silentFromMs, toMs: Math.min(fromMs, axis.toMs) });
    }
    silentFromMs = Math.max(silentFromMs, toMs);
  }
  if (axis.toMs - silentFromMs >= LEAST_GAP_MS) {
    found.push({ fromMs: silentFromMs, toMs: axis.toMs });
  }
  return found.filter(({ fromMs, toMs }) => toMs > axis.fromMs && toMs - fromMs >= LEAST_GAP_MS);
}

/** The times in which anything at all was told, without a break. Over every point each time the charts are drawn, so it makes no lists. */
function heardIn({ atMs, columns, stepMs, isSampled }: GpuSeries): readonly TimeAxis[] {
  const halfMs = isSampled ? 0 : stepMs / 2;
  const allowedMs = Math.max(LEAST_GAP_MS, stepMs * GAP_POINTS);
  const told = Object.values(columns).map(({ mean }) => mean);
  const spans: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < atMs.length; i += 1) {
    if (!isTold(told, i)) continue;
    const at = atMs[i] ?? NaN;
    const last = spans.at(-1);
    if (last !== undefined && at - halfMs - last.toMs <= allowedMs) last.toMs = at + halfMs;
    else spans.push({ fromMs: at - halfMs, toMs: at + halfMs });
  }
  return spans;
}

function isTold(columns: readonly ArrayLike<number>[], i: number): boolean {
  for (const column of columns) if (!Number.isNaN(column[i] ?? NaN)) return true;
  return false;
}

function hasPoint({ atMs }: GpuSeries, { fromMs, toMs }: TimeAxis): boolean {
  const first = lowerBound(atMs, fromMs + 1);
  return (atMs[first] ?? Infinity) < toMs;
}

/** `no readings for 2 min: the link was down`; several with the same reason as one. */
export function describeGaps(gaps: readonly GapSpan[]): string {
  const byWords = new Map<string, { ms: number; count: number }>();
  for (const { fromMs, toMs, words } of gaps) {
    const sum = byWords.get(words) ?? { ms: 0, count: 0 };
    byWords.set(words, { ms: sum.ms + toMs - fromMs, count: sum.count + 1 });
  }
  const parts = [...byWords].map(([words, { ms, count }]) => {
    const times = count === 1 ? '' : ` in ${formatCount(count, 'gap')}`;
    return `no readings for ${formatDuration(ms)}${times}: ${words}`;
  });
  return parts.join('; ');
}
