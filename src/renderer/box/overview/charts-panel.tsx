import { useRef, useState } from 'react';
import type { FleetEntry } from '../../../shared/streams/fleet-stream.ts';
import { readCurrent } from '../../../shared/telemetry/current-figures.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ProcessesPanel } from '../processes/processes-panel.tsx';
import { ChartsBar } from './charts-bar.tsx';
import { EventList } from './event-list.tsx';
import { gpuChosen, useGpuChoice } from './gpu-choice.ts';
import { shownChoice } from './gpu-picker.tsx';
import { GpuStrip } from './gpu-strip.tsx';
import { HeatChart } from './heat-chart.tsx';
import { HeatLegend } from './heat-legend.tsx';
import { MetricChart } from './metric-chart.tsx';
import { MigNote } from './mig-note.tsx';
import { lastHeardMs } from './overview-model.ts';
import { OverviewNoteBar } from './overview-note.tsx';
import { silenceWords, type OverviewState } from './overview-state.ts';
import styles from './overview.module.css';
import { TimeSlider } from './time-slider.tsx';
import { useTimeWindow } from './time-window-store.ts';
import { useMoveWindow } from './use-move-window.ts';
import { useOverviewModel } from './use-overview-model.ts';
import { usePast } from './use-past.ts';

interface ChartsPanelProps {
  readonly entry: FleetEntry;
  readonly state: Extract<OverviewState, { kind: 'charts' }>;
  readonly nowMs: number;
}

/** The charts of a box with everything around them. */
export function ChartsPanel({ entry, state, nowMs }: ChartsPanelProps) {
  const { readings, isFresh, note } = state;
  const boxId = entry.box.id;
  const window = useTimeWindow(boxId);
  const past = usePast(
    boxId,
    window,
    `${entry.link.kind} ${entry.telemetry.kind} ${String(isFresh)}`,
  );
  const indexes = indexesOf(readings.gpus.keys(), past.answer?.gpus ?? []);
  const choice = shownChoice(useGpuChoice(boxId), indexes);
  const silentBecause = silenceWords(note);
  const model = useOverviewModel({
    entry,
    readings,
    window,
    past,
    choice,
    isFresh,
    silentBecause,
    nowMs,
  });
  const slider = useRef<HTMLInputElement>(null);
  const move = useMoveWindow(boxId, model.axis, slider);
  const [hasSummary, setHasSummary] = useState(false);
  const current = isFresh ? readCurrent(entry, nowMs) : null;
  const noteOn = choice === 'heat' ? 'clock' : 'sm';
  return (
    <>
      <ChartsBar
        entry={entry}
        model={model}
        window={window}
        choice={choice}
        indexes={indexes}
        lastAtMs={readings.lastAtMs ?? lastHeardMs(model.series)}
        hasSummary={hasSummary}
        onSummary={() => setHasSummary(!hasSummary)}
      />
      {note !== null && <OverviewNoteBar boxId={boxId} note={note} />}
      {past.problem !== null && (
        <div className={styles['note']}>
          <ProblemNote
            problem={past.problem}
            actions={
              <Button size="small" onClick={past.retry}>
                Read again
              </Button>
            }
          />
        </div>
      )}
      <TimeSlider model={model} move={move} slider={slider} noteOn={noteOn} />
      <div className={styles['charts']}>
        {model.charts.map((chart) => (
          <MetricChart
            key={chart.kind.id}
            chart={chart}
            model={model}
            current={current}
            move={move}
            hasSummary={hasSummary}
          />
        ))}
        {model.heat.map((heat) => (
          <HeatChart
            key={heat.kind.id}
            heat={heat}
            model={model}
            current={current}
            move={move}
            hasSummary={hasSummary}
          />
        ))}
        {model.heat.length > 0 && <HeatLegend />}
      </div>
      <EventList model={model} noteOn={noteOn} />
      <MigNote boxId={boxId} />
      <GpuStrip
        indexes={indexes}
        gpus={entry.gpus}
        current={current}
        model={model}
        choice={choice}
        onChoose={(next) => gpuChosen(boxId, next)}
      />
      <ProcessesPanel boxId={boxId} gpu={typeof choice === 'number' ? choice : null} />
    </>
  );
}

function indexesOf(
  live: Iterable<number>,
  stored: readonly { readonly index: number | null }[],
): readonly number[] {
  const known = new Set([...live, ...stored.flatMap(({ index }) => index ?? [])]);
  return [...known].sort((a, b) => a - b);
}
