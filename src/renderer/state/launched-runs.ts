import { useEffect, useRef, useState } from 'react';
import { logFromWire, logViewStream, type LogView } from '../../shared/runs/launch/log-view.ts';
import type { LaunchedRuns } from '../../shared/runs/launch/launched-run.ts';
import { runMetricsStream, type RunMetrics } from '../../shared/runs/progress/run-metrics.ts';
import type { ByBox } from '../../shared/streams/meter-stream.ts';
import type { PullProgress } from '../../shared/transfer/pull.ts';
import type { NamedFolder } from '../../shared/transfer/result-root.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import type { EventsByRun } from '../../shared/runs/run-events.ts';
import type { RehearsalOutput } from '../../shared/runs/request/rehearsal.ts';
import type { ContinuousPull } from '../../shared/transfer/continuous/continuous-pull.ts';
import {
  continuousPullsStream,
  launchedRunsStream,
  namedFoldersStream,
  pullsStream,
  pushesStream,
  rehearsalsStream,
  runEventsStream,
} from '../../shared/streams/runs-stream.ts';
import type { QueueView } from '../../shared/runs/queue/queue-view.ts';
import { queueStream } from '../../shared/streams/queue-stream.ts';
import { useBoxFeed } from './box-feed.ts';
import { useStreamClient } from './stream-context.ts';
import type { Feed } from './stream-client.ts';

const LAUNCHED_RUNS = {
  stream: 'launched-runs',
  kind: launchedRunsStream,
  fromWire: (wire: LaunchedRuns) => wire,
} as const;

const RUN_LOG = { stream: 'run-log', kind: logViewStream, fromWire: logFromWire } as const;

const RUN_METRICS = {
  stream: 'run-metrics',
  kind: runMetricsStream,
  fromWire: (wire: RunMetrics) => wire,
} as const;

const RUN_QUEUE = {
  stream: 'run-queue',
  kind: queueStream,
  fromWire: (wire: QueueView) => wire,
} as const;

/** What was launched on one box, as its run folders tell it. */
export function useLaunchedRuns(boxId: string): Feed<LaunchedRuns> {
  return useBoxFeed(boxId, LAUNCHED_RUNS);
}

const RUN_EVENTS = {
  stream: 'run-events',
  kind: runEventsStream,
  fromWire: (wire: EventsByRun) => wire,
} as const;

/** What was seen of these on their way, over restarts. */
export function useRunEvents(boxId: string): Feed<EventsByRun> {
  return useBoxFeed(boxId, RUN_EVENTS);
}

/** As the streams name what is told of a run, or of one cell of the queue that it goes through. */
export const logKey = (boxId: string, { runId, cell }: LogOf): string =>
  [boxId, runId, ...(cell === undefined ? [] : [cell])].join(' ');

export interface LogOf {
  readonly runId: string;
  /** The index of the cell; absent: the run itself. */
  readonly cell?: number;
}

/** The end of one log, read on while it is shown. Its rows change in place; each batch gives a new outer state. */
export function useRunLog(boxId: string, log: LogOf): Feed<LogView> {
  return useBoxFeed(logKey(boxId, log), RUN_LOG);
}

/** What several logs say of their training, of whatever box, by `logKey`; what is not there yet is missing. */
export function useMetricsOf(keys: readonly string[]): ReadonlyMap<string, RunMetrics> {
  const client = useStreamClient();
  const [known, setKnown] = useState<ReadonlyMap<string, RunMetrics>>(new Map());
  const opened = useRef(new Map<string, () => void>());
  const joined = keys.join('\n');
  // Who takes one more log gets no new snapshot of all others.
  useEffect(() => {
    const wanted = new Set(joined === '' ? [] : joined.split('\n'));
    for (const [key, close] of opened.current) {
      if (wanted.has(key)) continue;
      close();
      opened.current.delete(key);
    }
    for (const key of wanted) {
      if (opened.current.has(key)) continue;
      const close = client.open({ ...RUN_METRICS, key }, (feed) => {
        if (feed.kind !== 'live') return;
        setKnown((before) => new Map(before).set(key, feed.state));
      });
      opened.current.set(key, close);
    }
  }, [client, joined]);
  useEffect(() => {
    const all = opened.current;
    return () => {
      for (const close of all.values()) close();
      all.clear();
    };
  }, [client]);
  return known;
}

/** What one log says of its training, read on while it is shown. */
export function useRunMetrics(boxId: string, log: LogOf): Feed<RunMetrics> {
  return useBoxFeed(logKey(boxId, log), RUN_METRICS);
}

const PUSHES = {
  stream: 'pushes',
  kind: pushesStream,
  fromWire: (wire: ByBox<PushProgress>) => wire,
} as const;

/** How far the code of a launch is on its way to this box; null: none is. */
export function usePush(boxId: string): PushProgress | null {
  const feed = useBoxFeed('', PUSHES);
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;
}

const REHEARSALS = {
  stream: 'rehearsals',
  kind: rehearsalsStream,
  fromWire: (wire: ByBox<RehearsalOutput>) => wire,
} as const;

/** What a rehearsal prints that runs on this computer for this box; null: none does. */
export function useRehearsal(boxId: string): RehearsalOutput | null {
  const feed = useBoxFeed('', REHEARSALS);
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;
}

const PULLS = {
  stream: 'pulls',
  kind: pullsStream,
  fromWire: (wire: ByBox<PullProgress>) => wire,
} as const;

/** How far results of this box are on their way home; null: none are. */
export function usePull(boxId: string): PullProgress | null {
  const feed = useBoxFeed('', PULLS);
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;
}

const CONTINUOUS_PULLS = {
  stream: 'continuous-pulls',
  kind: continuousPullsStream,
  fromWire: (wire: ByBox<readonly ContinuousPull[]>) => wire,
} as const;

const NO_PULLS: readonly ContinuousPull[] = [];

/** The runs of this box whose new results come home by themselves. */
export function useContinuousPulls(boxId: string): readonly ContinuousPull[] {
  const feed = useBoxFeed('', CONTINUOUS_PULLS);
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? NO_PULLS) : NO_PULLS;
}

const NAMED_FOLDERS = {
  stream: 'named-folders',
  kind: namedFoldersStream,
  fromWire: (wire: ByBox<readonly NamedFolder[]>) => wire,
} as const;

/** Folders of every box that a person wants to have home. */
export const useNamedFolders = (): Feed<ByBox<readonly NamedFolder[]>> =>
  useBoxFeed('', NAMED_FOLDERS);

/** The cells of the queue that a run goes through, looked at again and again while they are shown. */
export function useRunQueue(boxId: string, runId: string): Feed<QueueView> {
  return useBoxFeed(`${boxId} ${runId}`, RUN_QUEUE);
}
