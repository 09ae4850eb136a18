import type { KeyboardEvent, RefObject } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { valuesAt } from './chart-model.ts';
import { formatMoment } from './chart-summary.ts';
import { describeValues } from './chart-words.ts';
import { describeMoment } from './moment-note.tsx';
import styles from './overview.module.css';
import { momentAt, type OverviewModel } from './overview-model.ts';
import {
  cursorDropped,
  cursorLeft,
  cursorMoved,
  cursorPinned,
  useTimeCursor,
} from './time-cursor.ts';
import type { MoveWindow } from './use-move-window.ts';

/** How many steps of the arrow keys lead from one end to the other. */
const STEPS = 60;
const PAN_SHARE = 0.1;
const ZOOM_FACTOR = 0.5;

interface TimeSliderProps {
  readonly model: OverviewModel;
  readonly move: MoveWindow;
  readonly slider: RefObject<HTMLInputElement | null>;
  /** The chart that explains what happened at the cursor. */
  readonly noteOn: string;
}

/** The shared time cursor for the keyboard and for screen readers, who hear all charts at that time. */
export function TimeSlider({ model, move, slider, noteOn }: TimeSliderProps) {
  const at = useTimeCursor((cursor) => cursor.readAt);
  const isKept = useTimeCursor(({ readAt, pinned }) => pinned !== null && readAt === pinned);
  return (
    <input
      ref={slider}
      type="range"
      className={classNames('sr-only', styles['slider'])}
      aria-label="Time cursor over all charts"
      aria-valuetext={
        at === null
          ? model.isLive
            ? 'now'
            : 'no time chosen'
          : `${readAloud(model, at)}${isKept ? '. The cursor stays here' : ''}`
      }
      aria-keyshortcuts="Enter + - Shift+ArrowLeft Shift+ArrowRight Escape"
      min={0}
      max={1}
      step={1 / STEPS}
      value={at ?? 1}
      onChange={(event) => cursorMoved(event.target.valueAsNumber, noteOn)}
      onKeyDown={(event) => moveByKey(event, move, useTimeCursor.getState().at)}
      onBlur={cursorLeft}
    />
  );
}

/** Arrows, Home and End are the slider's own; these move the window under it. */
function moveByKey(event: KeyboardEvent, move: MoveWindow, at: number | null): void {
  const act = actionOf(event, move, at ?? 1);
  if (act === null) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function actionOf({ key, shiftKey }: KeyboardEvent, move: MoveWindow, at: number) {
  if (shiftKey && key === 'ArrowLeft') return () => move.pan(-PAN_SHARE);
  if (shiftKey && key === 'ArrowRight') return () => move.pan(PAN_SHARE);
  if (key === '+' || key === '=') return () => move.zoom(at, ZOOM_FACTOR);
  if (key === '-' || key === '_') return () => move.zoom(at, 1 / ZOOM_FACTOR);
  // As a click does: what it shows can be copied then, from a button that takes the focus.
  if (key === 'Enter' || key === ' ') return () => cursorPinned(at);
  if (key === 'Escape') {
    return () => {
      move.live();
      cursorDropped();
    };
  }
  return null;
}

function readAloud(model: OverviewModel, at: number): string {
  const { fromMs, toMs } = model.axis;
  const atMs = fromMs + at * (toMs - fromMs);
  const figures = model.charts.map((chart) => {
    const values = valuesAt(chart, atMs);
    const isSilent = values.every((value) => value === null);
    return isSilent ? null : `${chart.kind.title} ${describeValues(chart, values)}`;
  });
  const told = figures.filter((figure) => figure !== null);
  const moment = describeMoment(momentAt(model, atMs), model.series.length > 1);
  const words = told.length === 0 && model.charts.length > 0 ? 'no sample' : told.join(', ');
  return `${formatMoment(atMs)}: ${[words, moment].filter(Boolean).join('. ')}`;
}
