import { useEffect, useMemo, useRef, useState } from 'react';
import { MAX_CELLS_READ, type CellFigures } from '../../shared/runs/sweep/cell-figures.ts';
import { call } from '../state/bridge.ts';
import { useClock } from '../ui/clock.ts';
import type { SweepRow } from './sweep-rows.ts';

/** How often the log of a cell that runs is read again. */
const AGAIN_MS = 10_000;
const NONE: CellFigures = {};

interface Known {
  readonly figures: CellFigures;
  /** As of what it was read: its end, or a moment while it ran. */
  readonly as: string;
}

export interface SweepFigures {
  readonly names: readonly string[];
  readonly figuresOf: (place: number) => CellFigures;
}

/** What the logs of these cells say, read a few at a time: once after a cell has ended, now and then while it runs. */
export function useFigures(sweepId: string, rows: readonly SweepRow[]): SweepFigures {
  const [known, setKnown] = useState<ReadonlyMap<number, Known>>(new Map());
  const isAsking = useRef(false);
  const turn = useClock((nowMs) => Math.floor(nowMs / AGAIN_MS));
  useEffect(() => {
    if (isAsking.current) return;
    const due = rows
      .filter((row) => isDue(row, known.get(row.place)?.as, turn))
      .slice(0, MAX_CELLS_READ);
    if (due.length === 0) return;
    isAsking.current = true;
    void call('runs:cell-figures', {
      sweep: sweepId,
      cells: due.map(({ place }) => place),
    }).then((answer) => {
      isAsking.current = false;
      // A log that could not be read is asked for again like one that grows: the state of its box says why.
      setKnown((before) => {
        const next = new Map(before);
        for (const row of due) {
          const figures = answer.ok ? answer.value[row.place] : undefined;
          const as = answer.ok ? asOf(row, turn) : `turn ${String(turn)}`;
          next.set(row.place, { as, figures: figures ?? before.get(row.place)?.figures ?? NONE });
        }
        return next;
      });
    });
  }, [sweepId, rows, known, turn]);
  return useMemo(() => {
    const names = new Set([...known.values()].flatMap(({ figures }) => Object.keys(figures)));
    return {
      names: [...names].sort(),
      figuresOf: (place) => known.get(place)?.figures ?? NONE,
    };
  }, [known]);
}

const asOf = ({ endedAtMs }: SweepRow, turn: number): string =>
  endedAtMs === null ? `turn ${String(turn)}` : `end ${String(endedAtMs)}`;

function isDue(row: SweepRow, as: string | undefined, turn: number): boolean {
  const { beganAtMs, isSeenNow } = row;
  if (beganAtMs === null || !isSeenNow || as === asOf(row, turn)) return false;
  return as !== `turn ${String(turn)}`;
}
