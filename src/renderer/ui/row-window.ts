import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';

/** Rows that are there beyond the edges, so that a quick turn of the wheel meets no empty place. */
export const OVERSCAN = 6;
/** Until the first layout, and where there is none. */
const FIRST_VIEW_PX = 1200;

export interface RowWindow {
  /** The rows [first, end) are there; the others are empty space of this height. */
  readonly first: number;
  readonly end: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

/** What stands above the rows inside the scroller: it stays and covers them, or goes with them. */
export interface ListHead {
  readonly headPx: number;
  readonly isHeadSticky: boolean;
}

/** The top of each row, and the bottom of the last one. */
export function stackRows(heights: readonly number[]): readonly number[] {
  const tops = [0];
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height);
  return tops;
}

/** Which rows a view of this height shows when it begins at `scrollPx`. */
export function selectWindow(tops: readonly number[], scrollPx: number, viewPx: number): RowWindow {
  const count = tops.length - 1;
  const first = Math.max(0, rowAt(tops, scrollPx) - OVERSCAN);
  const end = Math.min(count, rowAt(tops, scrollPx + viewPx) + 1 + OVERSCAN);
  const total = tops[count] ?? 0;
  return { first, end, beforePx: tops[first] ?? 0, afterPx: total - (tops[end] ?? total) };
}

/** How far to scroll so that the row is in full view; `scrollPx` itself where it is. */
export function revealRow(
  tops: readonly number[],
  row: number,
  scrollPx: number,
  viewPx: number,
): number {
  const [top = 0, bottom = 0] = [tops[row], tops[row + 1]];
  if (top < scrollPx) return top;
  return bottom > scrollPx + viewPx ? bottom - viewPx : scrollPx;
}

/** The last row that begins at or above `px`. */
function rowAt(tops: readonly number[], px: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= px) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Shows of a long list only what is in view. The rows' heights are known, so nothing is measured. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  heights: readonly number[],
  { headPx, isHeadSticky }: ListHead,
): RowWindow & {
  /** How high the view was when these rows were chosen. */
  readonly viewPx: number;
  readonly reveal: (row: number) => void;
  readonly pageOf: () => number;
} {
  const tops = useMemo(() => stackRows(heights), [heights]);
  const [view, setView] = useState({ scrollPx: 0, viewPx: FIRST_VIEW_PX });
  const shown = useMemo(() => selectWindow(tops, view.scrollPx, view.viewPx), [tops, view]);
  // What the scroller shows is asked for at each of its events; a render follows only where other rows are needed.
  const current = useRef({ tops, shown });
  useLayoutEffect(() => {
    current.current = { tops, shown };
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const scrollPx = element.scrollTop - (isHeadSticky ? 0 : headPx);
      const viewPx =
        element.clientHeight > 0
          ? element.clientHeight - (isHeadSticky ? headPx : 0)
          : FIRST_VIEW_PX;
      const { tops: now, shown: had } = current.current;
      const next = selectWindow(now, scrollPx, viewPx);
      if (next.first !== had.first || next.end !== had.end) setView({ scrollPx, viewPx });
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, headPx, isHeadSticky]);
  const viewOf = (): number => (scroller.current?.clientHeight ?? 0) - (isHeadSticky ? headPx : 0);
  return {
    ...shown,
    viewPx: view.viewPx,
    reveal: (row) => {
      const element = scroller.current;
      if (element === null) return;
      const abovePx = isHeadSticky ? 0 : headPx;
      const scrollPx = element.scrollTop - abovePx;
      const nextPx = revealRow(tops, row, scrollPx, viewOf());
      if (nextPx !== scrollPx) element.scrollTo({ top: nextPx + abovePx });
    },
    pageOf: () => Math.max(1, Math.floor(viewOf() / (heights[0] ?? 1)) - 1),
  };
}
