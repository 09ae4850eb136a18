import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { panned, selected, zoomed } from './time-window.ts';
import { liveChosen, windowMoved } from './time-window-store.ts';
import type { TimeAxis } from './time-axis.ts';

/** How pointer, wheel and keys move the window. Places are shares of the axis: 0 its left end, 1 its right end. */
export interface MoveWindow {
  readonly zoom: (at: number, factor: number) => void;
  readonly pan: (share: number) => void;
  readonly select: (from: number, to: number) => void;
  readonly live: () => void;
  /** Gives keys and wheel to the charts. */
  readonly focus: () => void;
  readonly hasFocus: () => boolean;
}

export function useMoveWindow(
  boxId: string,
  axis: TimeAxis,
  slider: RefObject<HTMLInputElement | null>,
): MoveWindow {
  // The axis moves each second; whoever listens to the wheel must not be made anew for that.
  const newest = useRef(axis);
  useLayoutEffect(() => {
    newest.current = axis;
  }, [axis]);
  return useMemo(() => {
    const timeAt = (share: number): number => {
      const { fromMs, toMs } = newest.current;
      return fromMs + share * (toMs - fromMs);
    };
    return {
      zoom: (at, factor) =>
        windowMoved(boxId, zoomed(newest.current, timeAt(at), factor, Date.now())),
      pan: (share) =>
        windowMoved(boxId, panned(newest.current, timeAt(share) - timeAt(0), Date.now())),
      select: (from, to) => windowMoved(boxId, selected(timeAt(from), timeAt(to), Date.now())),
      live: () => liveChosen(boxId),
      focus: () => slider.current?.focus({ preventScroll: true }),
      hasFocus: () => document.activeElement === slider.current && slider.current !== null,
    };
  }, [boxId, slider]);
}
