import { useCallback, useMemo, useRef, useState } from 'react';
import { isArchived } from '../../../shared/boxes/archived.ts';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { HistoryAnswer } from '../../../shared/telemetry/history.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { useGpuFacts } from '../../state/gpu-facts.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ProcessesPanel } from '../processes/processes-panel.tsx';
import { ChartsBar } from './charts-bar.tsx';
import { EventList } from './event-list.tsx';
import { gpuChosen, useGpuChoice, type GpuChoice } from './gpu-choice.ts';
import { currentFigures } from './gpu-figures.ts';
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
  readonly entry: BoxEntry;
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
  const indexes = useIndexes(readings, past.answer);
  const choice = shownChoice(useGpuChoice(boxId), indexes);
  const silentBecause = silenceWords(note);
  const facts = useGpuFacts(boxId);
  const model = useOverviewModel({
    entry,
    facts,
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
  const current = useMemo(() => (isFresh ? currentFigures(readings) : null), [isFresh, readings]);
  const toggleSummary = useCallback(() => setHasSummary((isShown) => !isShown), []);
  usePageAct('chart-summary', toggleSummary);
  const choose = useCallback((next: GpuChoice) => gpuChosen(boxId, next), [boxId]);
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
        onSummary={toggleSummary}
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
      <MigNote facts={facts} />
      <GpuStrip
        indexes={indexes}
        gpus={entry.gpus}
        current={current}
        model={model}
        choice={choice}
        onChoose={choose}
      />
      {!isArchived(entry.box) && (
        <ProcessesPanel
          boxId={boxId}
          feed={facts}
          gpu={typeof choice === 'number' ? choice : null}
        />
      )}
    </>
  );
}

/** The same list for as long as the same GPUs are known. */
function useIndexes(readings: ReadingsState, answer: HistoryAnswer | null): readonly number[] {
  const stored = (answer?.gpus ?? []).flatMap(({ index }) => index ?? []);
  const key = [...new Set([...readings.gpus.keys(), ...stored])].sort((a, b) => a - b).join();
  return useMemo(() => (key === '' ? [] : key.split(',').map(Number)), [key]);
}
