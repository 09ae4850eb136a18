import { useMemo, useState } from 'react';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { HistoryAnswer } from '../../../shared/telemetry/history.ts';
import type { TelemetryMark } from '../../../shared/telemetry/mark.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import type { EventsByRun } from '../../../shared/runs/run-events.ts';
import { selectShown } from '../../../shared/alerts/shown.ts';
import { useHeld } from '../../ui/use-held.ts';
import { selectAlerts, selectReport, useAlerts, useFindings } from '../../state/feeds.ts';
import type { GpuFactsState } from '../../../shared/telemetry/gpu-facts.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { useGpuMarks } from '../../state/gpu-facts.ts';
import { useLaunchedRuns, useRunEvents } from '../../state/launched-runs.ts';
import type { Feed } from '../../state/stream-client.ts';
import type { GpuChoice } from './gpu-choice.ts';
import { runMarksOf } from '../runs/run-marks.ts';
import { buildOverview, type OverviewModel } from './overview-model.ts';
import { redrawEveryMs, type TimeAxis } from './time-axis.ts';
import { shownRangeMs, type TimeWindow } from './time-window.ts';
import type { Past } from './use-past.ts';

interface Looked {
  readonly entry: BoxEntry;
  readonly facts: Feed<GpuFactsState>;
  readonly readings: ReadingsState;
  readonly window: TimeWindow;
  readonly past: Past;
  readonly choice: GpuChoice;
  /** The newest sample describes the present. */
  readonly isFresh: boolean;
  readonly silentBecause: string | null;
  readonly nowMs: number;
}

const NO_MARKS: readonly TelemetryMark[] = [];
const NO_EVENTS: EventsByRun = {};
const NO_RUNS: readonly LaunchedRun[] = [];

/**
 * The charts' data, anew only when the lines have moved by about a pixel: drawing costs far more than reading. While the
 * past of another range is on its way, the charts stay as they were.
 */
export function useOverviewModel(looked: Looked): OverviewModel {
  const { entry, facts, readings, past, choice, silentBecause } = looked;
  const marks = useGpuMarks(entry.box.id);
  const report = useFindings(selectReport(entry.box.id));
  const alerts = useAlerts(selectAlerts(entry.box.id));
  const findings = useMemo(
    () => selectShown(report, alerts).map(({ finding }) => finding),
    [report, alerts],
  );
  const details = (facts.kind === 'live' ? facts.state.facts?.gpus : null) ?? null;
  const liveMarks = marks.kind === 'live' ? marks.state : NO_MARKS;
  const launched = useLaunchedRuns(entry.box.id);
  const noted = useRunEvents(entry.box.id);
  const events = noted.kind === 'live' ? noted.state : NO_EVENTS;
  const runs = launched.kind === 'live' ? launched.state.runs : NO_RUNS;
  const runMarks = useMemo(() => runMarksOf(runs, events), [runs, events]);
  const window = useSettledWindow(looked.window, past);
  const axis = axisOf({ ...looked, window });
  const span = axis.toMs - axis.fromMs;
  const frame = `${String(span)} ${String(Math.floor(axis.toMs / redrawEveryMs(span)))} ${String(readings.gpus.size)}`;
  const held = useHeld({ readings, axis }, frame);
  const { gpus } = entry;
  const { answer } = past;
  const isLive = window.held === null;
  return useMemo(
    () =>
      buildOverview({
        ...held,
        isLive,
        answer,
        cards: { gpus, details },
        choice,
        liveMarks,
        runMarks,
        findings,
        silentBecause,
      }),
    [held, isLive, answer, gpus, details, choice, liveMarks, runMarks, findings, silentBecause],
  );
}

/** A chosen range is drawn when its past is there; before that it would look as if nothing had happened. */
function useSettledWindow(window: TimeWindow, { answered, problem }: Past): TimeWindow {
  const isHere = answered?.held === null && answered.rangeMs === window.rangeMs;
  const isReady = window.held !== null || answered === null || problem !== null || isHere;
  const [last, setLast] = useState(window);
  if (isReady && last !== window) setLast(window);
  return isReady ? window : last;
}

function axisOf({ window, readings, past, isFresh, nowMs }: Looked): TimeAxis {
  if (window.held !== null) return window.held;
  const toMs = (isFresh ? readings.lastAtMs : null) ?? nowMs;
  const spanMs = shownRangeMs(window, toMs - oldestMs(readings, past.answer));
  return { fromMs: toMs - spanMs, toMs };
}

function oldestMs(readings: ReadingsState, answer: HistoryAnswer | null): number {
  const live = [...readings.gpus.values()].map(({ ring }) => ring.oldestMs ?? Infinity);
  const stored = (answer?.gpus ?? []).map(({ atMs }) => atMs[0] ?? Infinity);
  const noted = (answer?.gaps ?? []).map(({ fromMs }) => fromMs);
  const oldest = Math.min(...live, ...stored, ...noted);
  return oldest === Infinity ? 0 : oldest;
}
