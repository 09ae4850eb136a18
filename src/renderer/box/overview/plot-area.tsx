import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type PointerEvent,
} from 'react';
import { classNames } from '../../ui/class-names.ts';
import { PaintedCanvas, type Paint } from '../../ui/painted-canvas.tsx';
import { MomentNote } from './moment-note.tsx';
import type { OverviewModel } from './overview-model.ts';
import styles from './plot-area.module.css';
import type { PlotFrame } from './plot-frame.ts';
import {
  cursorLeft,
  cursorPinned,
  cursorPointed,
  useTimeCursor,
  type TimeCursor,
} from './time-cursor.ts';
import type { MoveWindow } from './use-move-window.ts';

interface PlotAreaProps {
  readonly id: string;
  readonly frame: PlotFrame;
  readonly paint: Paint;
  readonly model: OverviewModel;
  readonly move: MoveWindow;
  /** The newest readings no longer describe the present. */
  readonly isPast: boolean;
  readonly className?: string | undefined;
}

/** A drag shorter than this is a click. */
const LEAST_DRAG = 0.02;

/** The painted plot, the cursor over it, and what the pointer does with both. */
export function PlotArea({ id, frame, paint, model, move, isPast, className }: PlotAreaProps) {
  const { area, drag, handlers } = usePlotPointer(id, frame, move);
  const edges = {
    '--plot-left': `${String(frame.left)}px`,
    '--plot-right': `${String(frame.right)}px`,
    '--plot-top': `${String(frame.top)}px`,
    '--plot-bottom': `${String(frame.bottom)}px`,
  };
  return (
    <div
      ref={area}
      className={classNames(styles['plot'], isPast && styles['isPast'], className)}
      style={edges as CSSProperties}
      aria-hidden="true"
      {...handlers}
    >
      <PaintedCanvas paint={paint} className={styles['canvas']} />
      {drag !== null && (
        <div
          className={styles['selection']}
          style={
            {
              '--from': Math.min(drag.from, drag.to),
              '--share': Math.abs(drag.to - drag.from),
            } as CSSProperties
          }
        />
      )}
      <CursorLine />
      <PointedNote id={id} model={model} />
    </div>
  );
}

/** Follows the pointer without React and on a layer of its own, so that nothing is laid out or painted anew for it. */
function CursorLine() {
  const track = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [outer, inner] = [track.current, line.current];
    if (outer === null || inner === null) return undefined;
    let width = 0;
    const place = ({ at }: TimeCursor): void => {
      inner.hidden = at === null;
      // On whole pixels of the screen: between two it would be a blur.
      const pixels = Math.round((at ?? 0) * width * devicePixelRatio);
      inner.style.transform = `translateX(${String(pixels / devicePixelRatio)}px)`;
    };
    const observer = new ResizeObserver(([entry]) => {
      width = entry?.contentRect.width ?? 0;
      place(useTimeCursor.getState());
    });
    observer.observe(outer);
    const stop = useTimeCursor.subscribe(place);
    return () => {
      observer.disconnect();
      stop();
    };
  }, []);
  return (
    <div ref={track} className={styles['track']}>
      <div ref={line} className={styles['cursor']} hidden />
    </div>
  );
}

function PointedNote({ id, model }: { readonly id: string; readonly model: OverviewModel }) {
  const at = useTimeCursor((cursor) => (cursor.chart === id ? cursor.at : null));
  return at === null ? null : <MomentNote model={model} at={at} />;
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Pointing moves the cursor, a click leaves it there, dragging zooms, with Shift it moves the window; the wheel zooms once the charts have the focus. */
function usePlotPointer(id: string, frame: PlotFrame, move: MoveWindow) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const panFrom = useRef<number | null>(null);

  const shareAt = useCallback(
    (clientX: number): number => {
      const { left, width } = (area.current as HTMLDivElement).getBoundingClientRect();
      const share = (clientX - left - frame.left) / (width - frame.left - frame.right);
      return Math.min(1, Math.max(0, share));
    },
    [frame],
  );

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      // Without the focus the wheel belongs to the page, which scrolls.
      const isOurs = event.ctrlKey || event.metaKey || move.hasFocus();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        move.pan(event.deltaX / element.clientWidth);
      } else if (isOurs) {
        event.preventDefault();
        move.zoom(shareAt(event.clientX), Math.exp(event.deltaY / WHEEL_PER_E));
      }
    };
    // React listens passively, and then the page would scroll along.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [move, shareAt]);

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      if (event.button !== 0) return;
      // The slider takes the focus: from here on keys and wheel belong to the charts.
      event.preventDefault();
      move.focus();
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = shareAt(event.clientX);
      if (event.shiftKey) panFrom.current = at;
      else setDrag({ from: at, to: at });
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const at = shareAt(event.clientX);
      cursorPointed(at, id);
      if (panFrom.current !== null) {
        move.pan(panFrom.current - at);
        panFrom.current = at;
      } else if (drag !== null) {
        setDrag({ ...drag, to: at });
      }
    },
    onPointerUp(): void {
      panFrom.current = null;
      if (drag !== null) {
        if (Math.abs(drag.to - drag.from) < LEAST_DRAG) cursorPinned(drag.to);
        else move.select(drag.from, drag.to);
      }
      setDrag(null);
    },
    onPointerCancel(): void {
      panFrom.current = null;
      setDrag(null);
    },
    onPointerLeave(): void {
      if (drag === null && panFrom.current === null) cursorLeft();
    },
    onDoubleClick: move.live,
  };
  return { area, drag, handlers };
}

/** Three notches of a usual mouse wheel show about twice as much. */
const WHEEL_PER_E = 480;
