import { create } from 'zustand';
import type { TimeAxis } from './time-axis.ts';
import { FIRST_WINDOW, type TimeWindow } from './time-window.ts';

/** By box id: it outlives the panel, so a look at another tab loses no place in the past. */
export const useTimeWindows = create<Readonly<Record<string, TimeWindow>>>(() => ({}));

export function useTimeWindow(boxId: string): TimeWindow {
  return useTimeWindows((windows) => windows[boxId] ?? FIRST_WINDOW);
}

export function rangeChosen(boxId: string, rangeMs: number): void {
  change(boxId, () => ({ rangeMs, isChosen: true, held: null }));
}

/** Another part of the past is looked at. Charts that were paused stay paused since then. */
export function windowMoved(boxId: string, axis: TimeAxis): void {
  change(boxId, (window) => {
    const { why, sinceMs } = window.held ?? ({ why: 'moved', sinceMs: Date.now() } as const);
    return { ...window, held: { fromMs: axis.fromMs, toMs: axis.toMs, why, sinceMs } };
  });
}

export function windowPaused(boxId: string, axis: TimeAxis): void {
  const { fromMs, toMs } = axis;
  change(boxId, (window) => ({
    ...window,
    held: { fromMs, toMs, why: 'paused', sinceMs: Date.now() },
  }));
}

export function liveChosen(boxId: string): void {
  change(boxId, (window) => ({ ...window, held: null }));
}

function change(boxId: string, next: (window: TimeWindow) => TimeWindow): void {
  useTimeWindows.setState((windows) => ({ [boxId]: next(windows[boxId] ?? FIRST_WINDOW) }));
}
