import { CircleOff, Unplug } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FleetEntry } from '../../../shared/streams/fleet-stream.ts';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import type { TelemetryState } from '../../../shared/telemetry/telemetry-state.ts';
import { readCurrent } from '../../../shared/telemetry/current-figures.ts';
import { connectRequested } from '../../state/actions.ts';
import { useReadings } from '../../state/readings.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/clock.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { buildOverview, type OverviewModel, type ShownGpus } from './chart-model.ts';
import { ProcessesPanel } from '../processes/processes-panel.tsx';
import { gpuChosen, useGpuChoice, type GpuChoice } from './gpu-choice.ts';
import { GpuStrip } from './gpu-strip.tsx';
import { MetricChart } from './metric-chart.tsx';
import { NoCommands } from './no-commands.tsx';
import { OverviewNoteBar } from './overview-note.tsx';
import { judgeOverview, type OverviewState } from './overview-state.ts';
import styles from './overview.module.css';
import { axisSpanMs, MINUTE_MS, redrawEveryMs } from './time-axis.ts';
import { TimeSlider } from './time-slider.tsx';

const RANGES = [
  { value: 5, label: '5 min' },
  { value: 15, label: '15 min' },
];
/** The usual cadence; only how often to draw depends on it. */
const SAMPLE_MS = 1000;

export function Overview({ entry }: { readonly entry: FleetEntry }) {
  const { box } = entry;
  const feed = useReadings(box.id);
  const nowMs = useNow();
  const state = judgeOverview(entry, feed, nowMs);
  const connect = (words = 'Connect') => (
    <Button look="primary" onClick={() => connectRequested(box.id)}>
      {words}
    </Button>
  );
  switch (state.kind) {
    case 'loading':
      return <LoadingState title={state.title} />;
    case 'disconnected':
      return (
        <EmptyState
          icon={<Unplug size={28} strokeWidth={1.4} />}
          title="Not connected"
          actions={connect()}
        >
          <p>Nothing is read from this box and nothing is sent to it until you connect.</p>
        </EmptyState>
      );
    case 'readings-off':
      return (
        <EmptyState icon={<CircleOff size={28} strokeWidth={1.4} />} title="GPU readings are off">
          <p>The link is up, but nothing is being read from the GPUs of this box.</p>
        </EmptyState>
      );
    case 'no-commands':
      return <NoCommands boxId={box.id} problem={state.problem} />;
    case 'failed':
      return (
        <FailedState
          problem={state.problem}
          tone={state.way === 'connect' ? 'danger' : 'warn'}
          {...(state.way !== null && {
            actions: connect(state.way === 'retry' ? 'Retry now' : 'Connect'),
          })}
        />
      );
    case 'charts':
      return <ChartsPanel entry={entry} state={state} nowMs={nowMs} />;
  }
}

interface ChartsPanelProps {
  readonly entry: FleetEntry;
  readonly state: Extract<OverviewState, { kind: 'charts' }>;
  readonly nowMs: number;
}

function ChartsPanel({ entry, state, nowMs }: ChartsPanelProps) {
  const [minutes, setMinutes] = useState(15);
  const wanted = useGpuChoice(entry.box.id);
  const choose = (choice: ShownGpus): void => gpuChosen(entry.box.id, choice);
  const { readings, isFresh, note } = state;
  const indexes = [...readings.gpus.keys()].sort((a, b) => a - b);
  const [only, second] = indexes;
  const choice = only !== undefined && second === undefined ? only : chosenOf(wanted, indexes);
  const model = useOverviewModel(readings, entry.gpus, choice, minutes, isFresh ? null : nowMs);
  const current = isFresh ? readCurrent(entry, nowMs) : null;
  return (
    <>
      <div className={styles['bar']}>
        <Segmented label="Time range" options={RANGES} value={minutes} onChange={setMinutes} />
        {indexes.length > 1 && (
          <Segmented label="GPU" options={gpuOptions(indexes)} value={choice} onChange={choose} />
        )}
        <SampleFacts
          telemetry={entry.telemetry}
          stepMs={model.stepMs}
          gpuCount={indexes.length}
          lastAtMs={readings.lastAtMs}
        />
      </div>
      {note !== null && <OverviewNoteBar boxId={entry.box.id} note={note} />}
      <TimeSlider model={model} />
      <div className={styles['charts']}>
        {model.charts.map((chart) => (
          <MetricChart key={chart.kind.id} chart={chart} model={model} current={current} />
        ))}
      </div>
      <GpuStrip
        indexes={indexes}
        gpus={entry.gpus}
        current={current}
        choice={choice}
        onChoose={choose}
      />
      <ProcessesPanel boxId={entry.box.id} gpu={choice === 'all' ? null : choice} />
    </>
  );
}

/**
 * The charts' data, anew only when the lines have moved by about a pixel: drawing costs far more than reading. The axis
 * ends at the newest sample, or at `endMs` where that is no longer the present, so that the silence shows as a gap.
 */
function useOverviewModel(
  readings: ReadingsState,
  gpus: readonly GpuFacts[] | null,
  choice: ShownGpus,
  minutes: number,
  endMs: number | null,
): OverviewModel {
  const rangeMs = minutes * MINUTE_MS;
  const toMs = endMs ?? readings.lastAtMs ?? 0;
  const longest = Math.max(...[...readings.gpus.values()].map(({ ring }) => ring.length));
  const spanMs = axisSpanMs(longest * SAMPLE_MS, rangeMs);
  const frame = `${Math.floor(toMs / redrawEveryMs(spanMs))} ${readings.gpus.size}`;
  const held = useHeld({ past: readings.gpus, toMs }, frame);
  return useMemo(
    () => buildOverview({ ...held, gpus, choice, rangeMs }),
    [held, gpus, choice, rangeMs],
  );
}

/** The value as it was when the key last changed. */
function useHeld<T>(value: T, key: string): T {
  const [held, setHeld] = useState({ key, value });
  if (held.key === key) return held.value;
  setHeld({ key, value });
  return value;
}

/** A GPU that is gone from the readings cannot stay chosen. */
function chosenOf(wanted: GpuChoice | null, indexes: readonly number[]): ShownGpus {
  return typeof wanted === 'number' && indexes.includes(wanted) ? wanted : 'all';
}

function gpuOptions(indexes: readonly number[]) {
  const isLong = indexes.length <= 4;
  return [
    { value: 'all' as ShownGpus, label: 'All GPUs' },
    ...indexes.map((index) => ({
      value: index,
      label: isLong ? `GPU ${index}` : String(index),
    })),
  ];
}

interface SampleFactsProps {
  readonly telemetry: TelemetryState;
  readonly stepMs: number;
  readonly gpuCount: number;
  readonly lastAtMs: number | null;
}

/** How often, of how many, how old, and what could not be read. */
function SampleFacts({ telemetry, stepMs, gpuCount, lastAtMs }: SampleFactsProps) {
  const unreadable = telemetry.kind === 'live' ? telemetry.unreadableLines : null;
  const step = formatDuration(Math.max(1, Math.round(stepMs / 1000)) * 1000);
  return (
    <p className={classNames(styles['facts'], 'figures')}>
      {step} samples · {formatCount(gpuCount, 'GPU')}
      {lastAtMs !== null && (
        <>
          {' · last sample '}
          <Age atMs={lastAtMs} />
        </>
      )}
      {unreadable !== null && (
        <span className={unreadable > 0 ? styles['unreadable'] : undefined}>
          {' · '}
          {formatCount(unreadable, 'unreadable line')}
        </span>
      )}
    </p>
  );
}
