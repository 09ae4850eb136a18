import { ListTree, Pause, Play } from 'lucide-react';
import { memo, useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  readingSourceWords,
  type TelemetryState,
} from '../../../shared/telemetry/telemetry-state.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { usePageAct } from '../../state/page-part.ts';
import { Age, Elapsed } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useClock } from '../../ui/clock.ts';
import { formatDuration } from '../../ui/format.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { describeSpan, formatMoment } from './chart-summary.ts';
import { ExportMenu, NO_EXPORT, type ExportState } from './export-menu.tsx';
import type { GpuChoice } from './gpu-choice.ts';
import { GpuPicker } from './gpu-picker.tsx';
import styles from './overview.module.css';
import type { OverviewModel } from './overview-model.ts';
import { liveChosen, rangeChosen, windowPaused } from './time-window-store.ts';
import { ranges, type TimeWindow } from './time-window.ts';
import { UnreadableLines } from './unreadable-lines.tsx';

interface ChartsBarProps {
  readonly entry: BoxEntry;
  readonly model: OverviewModel;
  readonly window: TimeWindow;
  readonly choice: GpuChoice;
  readonly indexes: readonly number[];
  readonly lastAtMs: number | null;
  readonly hasSummary: boolean;
  readonly onSummary: () => void;
}

/** Over the charts: which time, which GPUs, what was measured, and what to do with it. */
export function ChartsBar(props: ChartsBarProps) {
  const { entry, model, window, choice, indexes, lastAtMs, hasSummary, onSummary } = props;
  const { id, name } = entry.box;
  const [exported, setExported] = useState<ExportState>(NO_EXPORT);
  const newest = useRef(model);
  const pause = useRef<HTMLButtonElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const exporter = useRef<HTMLButtonElement>(null);
  const dismiss = (): void => pressedAway(() => setExported(NO_EXPORT), exporter);
  useLayoutEffect(() => {
    newest.current = model;
  }, [model]);
  return (
    <>
      <div className={styles['bar']}>
        <RangePicker boxId={id} rangeMs={pickedMs(window, model)} />
        <GpuPicker boxId={id} choice={choice} indexes={indexes} />
        <SampleFacts telemetry={entry.telemetry} model={model} lastAtMs={lastAtMs} />
        <Tools
          boxId={id}
          boxName={name}
          model={newest}
          pause={pause}
          back={back}
          exporter={exporter}
          isLive={window.held === null}
          hasSummary={hasSummary}
          onSummary={onSummary}
          exported={exported}
          onExported={setExported}
        />
      </div>
      <HeldBar boxId={id} model={model} window={window} pause={pause} back={back} />
      <ExportOutcome state={exported} onClose={dismiss} />
    </>
  );
}

/** What a person has chosen is picked at once, also while its past is on its way; of what is held no range is. */
function pickedMs({ held, isChosen, rangeMs }: TimeWindow, { axis }: OverviewModel): number {
  if (held !== null) return 0;
  return isChosen ? rangeMs : axis.toMs - axis.fromMs;
}

// What does not change with each sample is not drawn with each sample.

const RangePicker = memo(function RangePicker({
  boxId,
  rangeMs,
}: {
  readonly boxId: string;
  readonly rangeMs: number;
}) {
  const choose = useCallback((next: number) => rangeChosen(boxId, next), [boxId]);
  return <Segmented label="Time range" options={ranges} value={rangeMs} onChange={choose} />;
});

interface Twins {
  /** Each takes the place of the other, and the focus with it. */
  readonly pause: RefObject<HTMLButtonElement | null>;
  readonly back: RefObject<HTMLButtonElement | null>;
}

/** A button that goes away when it is pressed takes the focus of the keyboard with it, unless another one gets it. */
function pressedAway(change: () => void, next: Twins[keyof Twins]): void {
  flushSync(change);
  next.current?.focus();
}

interface ToolsProps extends Twins {
  readonly exporter: Twins[keyof Twins];
  readonly boxId: string;
  readonly boxName: string;
  /** What is shown at the moment of a press. */
  readonly model: RefObject<OverviewModel>;
  readonly isLive: boolean;
  readonly hasSummary: boolean;
  readonly onSummary: () => void;
  readonly exported: ExportState;
  readonly onExported: (state: ExportState) => void;
}

const Tools = memo(function Tools(props: ToolsProps) {
  const { boxId, boxName, model, isLive, hasSummary, onSummary, exported, onExported } = props;
  const { pause, back, exporter } = props;
  usePageAct('pause-charts', () => windowPaused(boxId, model.current.axis));
  return (
    <div className={styles['tools']}>
      <Button
        look="quiet"
        size="small"
        aria-pressed={hasSummary}
        title="What each chart shows, in words"
        onClick={onSummary}
      >
        <ListTree size={14} aria-hidden /> Summary
      </Button>
      {isLive && (
        <Button
          look="quiet"
          size="small"
          ref={pause}
          aria-label="Pause"
          title="Pause"
          onClick={() => pressedAway(() => windowPaused(boxId, model.current.axis), back)}
        >
          <Pause size={14} aria-hidden /> <span className={styles['optional']}>Pause</span>
        </Button>
      )}
      <ExportMenu
        button={exporter}
        boxId={boxId}
        boxName={boxName}
        model={model}
        state={exported}
        onState={onExported}
      />
    </div>
  );
});

/** What is shown instead of the present, and the way back to it. */
function HeldBar({
  boxId,
  model,
  window: { held },
  pause,
  back,
}: Pick<ChartsBarProps, 'model' | 'window'> & Twins & { readonly boxId: string }) {
  if (held === null) return null;
  const { fromMs, toMs } = model.axis;
  return (
    <div className={styles['held']}>
      {held.why === 'paused' ? (
        <span role="status">
          Paused <Elapsed sinceMs={held.sinceMs} />
        </span>
      ) : (
        <span role="status">Looking at the past</span>
      )}
      <span className="figures">
        {describeSpan({ axis: model.axis, isLive: false })} ({formatDuration(toMs - fromMs)})
      </span>
      <Button ref={back} size="small" onClick={() => pressedAway(() => liveChosen(boxId), pause)}>
        <Play size={14} aria-hidden /> Back to live
      </Button>
    </div>
  );
}

interface ExportOutcomeProps {
  readonly state: ExportState;
  readonly onClose: () => void;
}

function ExportOutcome({ state, onClose }: ExportOutcomeProps) {
  if (state.kind === 'none') return null;
  if (state.kind === 'failed') {
    return (
      <div className={styles['note']}>
        <ProblemNote
          problem={state.problem}
          actions={
            <Button size="small" onClick={onClose}>
              Dismiss
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <div className={styles['held']}>
      <span role="status" className="selectable">
        {state.words}
      </span>
      {state.kind === 'done' && (
        <Button size="small" onClick={onClose}>
          Dismiss
        </Button>
      )}
    </div>
  );
}

interface SampleFactsProps {
  readonly telemetry: TelemetryState;
  readonly model: OverviewModel;
  readonly lastAtMs: number | null;
}

/** How often, of how many, how old, from what, and what could not be read. */
function SampleFacts({ telemetry, model, lastAtMs }: SampleFactsProps) {
  const live = telemetry.kind === 'live' ? telemetry : null;
  const step = formatDuration(Math.max(1, Math.round(model.stepMs / 1000)) * 1000);
  const isAmd = live?.source === 'amd-smi' || live?.source === 'rocm-smi';
  return (
    <p className={classNames(styles['facts'], 'figures')}>
      <span title={live === null ? undefined : `From ${readingSourceWords[live.source]}`}>
        {step} {model.tier === '1s' ? 'samples' : 'points'}
      </span>
      {isAmd && <span title={readingSourceWords[live.source]}> · {live.source}, best effort</span>}
      {lastAtMs !== null && (
        <>
          {' · '}
          <LastSample atMs={lastAtMs} />
        </>
      )}
      {live !== null && (
        <>
          {' · '}
          <UnreadableLines count={live.unreadableLines} samples={live.unreadableSamples} />
        </>
      )}
    </p>
  );
}

const DAY_MS = 86_400_000;

function LastSample({ atMs }: { readonly atMs: number }) {
  const isOld = useClock((nowMs) => nowMs - atMs > DAY_MS);
  return isOld ? formatMoment(atMs, DAY_MS) : <Age atMs={atMs} />;
}
