import type { Finding } from '../../../shared/detectors/finding.ts';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { HistoryAnswer, HistoryTier } from '../../../shared/telemetry/history.ts';
import type { TelemetryMark } from '../../../shared/telemetry/mark.ts';
import { buildCharts, selectSeries, type CardFacts, type Chart } from './chart-model.ts';
import { clusterMarks, eventMarksOf, type EventMark } from './event-marks.ts';
import { gapSpansOf, type GapSpan } from './gap-spans.ts';
import type { GpuChoice } from './gpu-choice.ts';
import { gpuSeriesOf, type GpuSeries } from './gpu-series.ts';
import { buildHeat, type HeatChart } from './heat-model.ts';
import { throttleBandsOf, type ThrottleBand } from './throttle-bands.ts';
import { MAX_POINTS, timeTicks, type TimeAxis, type TimeTick } from './time-axis.ts';

/** Everything that the charts draw in one window, computed once for all of them. */
export interface OverviewModel {
  readonly axis: TimeAxis;
  /** The right end is now. */
  readonly isLive: boolean;
  readonly ticks: readonly TimeTick[];
  /** Of all GPUs of the box. */
  readonly series: readonly GpuSeries[];
  /** Of those that are shown. */
  readonly shown: readonly GpuSeries[];
  /** The six charts; empty for a heat strip. */
  readonly charts: readonly Chart[];
  readonly heat: readonly HeatChart[];
  readonly bands: readonly ThrottleBand[];
  readonly gaps: readonly GapSpan[];
  readonly marks: readonly EventMark[];
  /** The same, those that stand too close to be told apart as one. */
  readonly clusters: readonly (readonly EventMark[])[];
  /** For so long each point stands. */
  readonly stepMs: number;
  /** What the points were made from. */
  readonly tier: HistoryTier;
}

export interface OverviewInput {
  readonly axis: TimeAxis;
  readonly isLive: boolean;
  readonly readings: ReadingsState | null;
  readonly answer: HistoryAnswer | null;
  readonly cards: CardFacts;
  readonly choice: GpuChoice;
  readonly liveMarks: readonly TelemetryMark[];
  readonly runMarks: readonly EventMark[];
  readonly findings: readonly Finding[];
  /** Why nothing comes right now; null: it does, or nobody knows. */
  readonly silentBecause: string | null;
}

/** Marks closer than this many points of a line stand in each other's way. */
const CLUSTER_POINTS = 8;

export function buildOverview(input: OverviewInput): OverviewModel {
  const { axis, isLive, readings, answer, cards, choice } = input;
  const series = gpuSeriesOf(axis, readings, answer);
  const shown = selectSeries(series, choice === 'heat' ? 'all' : choice);
  const gpus = choice === 'all' || choice === 'heat' ? null : shown.map(({ gpu }) => gpu);
  const noted = answer?.gaps ?? [];
  const told = {
    stored: answer?.marks ?? [],
    live: input.liveMarks,
    gaps: noted,
    findings: input.findings,
    runs: input.runMarks,
  };
  const marks = eventMarksOf(axis, told, gpus);
  const leastMs = ((axis.toMs - axis.fromMs) / MAX_POINTS) * CLUSTER_POINTS;
  const [first] = shown;
  return {
    axis,
    isLive,
    ticks: timeTicks(axis, isLive),
    series,
    shown,
    charts: choice === 'heat' ? [] : buildCharts(shown, cards, axis),
    heat: choice === 'heat' ? buildHeat(shown, cards, axis) : [],
    bands: throttleBandsOf(shown, axis),
    gaps: gapSpansOf(reachOf(axis, series, answer), series, noted, input.silentBecause),
    marks,
    clusters: clusterMarks(marks, leastMs),
    stepMs: first?.stepMs ?? 1000,
    tier: first === undefined || first.isSampled ? '1s' : (answer?.tier ?? '1s'),
  };
}

/** The part of the window of which something is known; beyond it nobody has asked yet, and nothing is claimed. */
function reachOf(
  axis: TimeAxis,
  series: readonly GpuSeries[],
  answer: HistoryAnswer | null,
): TimeAxis {
  const oldestMs = Math.min(...series.map(({ atMs }) => atMs[0] ?? Infinity));
  const fromMs = answer === null ? Math.min(oldestMs, axis.toMs) : answer.fromMs;
  return { fromMs: Math.max(axis.fromMs, fromMs), toMs: axis.toMs };
}

/** When the box said something last; null: nothing is known that it ever did. */
export function lastHeardMs(series: readonly GpuSeries[]): number | null {
  const last = Math.max(...series.map(({ atMs }) => atMs[atMs.length - 1] ?? -Infinity));
  return last === -Infinity ? null : last;
}

/** What is worth telling of one moment: what held the clock, why nothing came, what happened. */
export interface Moment {
  readonly bands: readonly ThrottleBand[];
  readonly gap: GapSpan | null;
  readonly marks: readonly EventMark[];
}

export function momentAt({ axis, bands, gaps, clusters }: OverviewModel, atMs: number): Moment {
  const holds = (span: TimeAxis): boolean => span.fromMs <= atMs && atMs <= span.toMs;
  const nearMs = ((axis.toMs - axis.fromMs) / MAX_POINTS) * (CLUSTER_POINTS / 2);
  return {
    bands: bands.filter(holds),
    gap: gaps.find(holds) ?? null,
    marks: clusters.flat().filter((mark) => Math.abs(mark.atMs - atMs) <= nearMs),
  };
}
