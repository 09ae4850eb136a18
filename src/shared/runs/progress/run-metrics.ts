import type { StreamKind } from '../../streams/stream.ts';
import { NO_METRIC_FILES, type MetricFiles } from '../metric-files/metric-file.ts';
import type { TimeSpan } from './left-time.ts';
import type { Slowdown } from './step-pace.ts';
import { changedSeries, type MetricSeries, type SeriesChange } from './metric-series.ts';

/** How far a run is, as its log told last. */
export interface RunPosition {
  readonly unit: 'step' | 'epoch';
  /** Parts that are done, over the whole run where the log lets that be known. */
  readonly done: number;
  /** Null: the log does not say. */
  readonly total: number | null;
  /** It counts one of several rounds, of which nobody says how many there are. */
  readonly isOfRound: boolean;
  readonly epoch: { readonly at: number; readonly total: number | null } | null;
  /** Parts a second over the last minutes that were followed; null: not seen for long enough. */
  readonly perS: number | null;
  /** Null: it is about as fast as at its beginning, or too little was followed to say (U23). */
  readonly slowdown: Slowdown | null;
  /** When it ends if it goes on like that; null: nothing says. */
  readonly end: TimeSpan | null;
  /** When the line came; null: it was there before the log was followed. */
  readonly atMs: number | null;
}

/** What a run says of its training: how far it is, its log says; its figures come from the log or from a file. */
export interface RunMetrics {
  readonly position: RunPosition | null;
  /** In the order in which they first came. */
  readonly series: readonly MetricSeries[];
  /** Further figures that are not kept. */
  readonly leftOut: number;
  readonly reading: MetricsReading;
  /** Where else its figures stand, and which of these are shown. */
  readonly files: MetricFiles;
}

/** How much of the log was read for its figures. */
export interface MetricsReading {
  readonly state: 'opening' | 'following' | 'whole' | 'stopped';
  /** The log's first bytes, which were not read. */
  readonly skippedAtBegin: number;
  /** Characters between, which came faster than they are read. */
  readonly skippedInFlood: number;
}

export const NO_RUN_METRICS: RunMetrics = {
  position: null,
  series: [],
  leftOut: 0,
  reading: { state: 'opening', skippedAtBegin: 0, skippedInFlood: 0 },
  files: NO_METRIC_FILES,
};

export interface RunMetricsDelta extends Partial<Omit<RunMetrics, 'series'>> {
  readonly changes?: readonly SeriesChange[];
  /** The figures are those of another log or source: what was read before counts no more. */
  readonly isNew?: true;
}

export const runMetricsStream: StreamKind<RunMetrics, RunMetricsDelta> = {
  apply: (before, { changes = [], isNew, ...changed }) => {
    const series = [...(isNew === true ? [] : before.series)];
    for (const change of changes) {
      const at = series.findIndex(({ name }) => name === change.name);
      const next = changedSeries(series[at], change);
      if (at === -1) series.push(next);
      else series[at] = next;
    }
    return { ...before, ...changed, series };
  },
};
