import { useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { MAX_CELLS_READ, type CellFigures } from '../../shared/runs/sweep/cell-figures.ts';
import { call } from '../state/bridge.ts';
import { useClock } from '../ui/clock.ts';
import type { SweepRow } from './sweep-rows.ts';

/** How often the log of a cell that runs is read again. */
const AGAIN_MS = 10_000;

interface Known {
  /** Null: it could not be read so far. */
  readonly figures: CellFigures | null;
  /** As of what it was read: its end, or a moment while it ran. */
  readonly as: string;
}

export interface ReadFigures {
  readonly names: readonly string[];
  /** Null: not read. */
  readonly figuresOf: (place: number) => CellFigures | null;
  /** Some of the cells that have begun were not even asked for so far. */
  readonly isReading: boolean;
  /** Why the last answer brought nothing; null: it did bring what was asked for. */
  readonly problem: Problem | null;
}

/** What the logs of these cells say, read a few at a time: once after a cell has ended, now and then while it runs. */
export function useCellFigures(sweepId: string, rows: readonly SweepRow[]): ReadFigures {
  const [known, setKnown] = useState<ReadonlyMap<number, Known>>(new Map());
  const [problem, setProblem] = useState<Problem | null>(null);
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
      setProblem(answer.ok ? null : answer.error);
      // A log that could not be read is asked for again, like one that grows.
      setKnown((before) => {
        const next = new Map(before);
        for (const row of due) {
          const read = (answer.ok ? answer.value[row.place] : undefined) ?? null;
          const as = read === null ? asOfTurn(turn) : asOf(row, turn);
          next.set(row.place, { as, figures: read ?? before.get(row.place)?.figures ?? null });
        }
        return next;
      });
    });
  }, [sweepId, rows, known, turn]);
  const isReading = rows.some((row) => canBeRead(row) && !known.has(row.place));
  return useMemo(() => {
    const names = new Set([...known.values()].flatMap(({ figures }) => Object.keys(figures ?? {})));
    return {
      names: [...names].sort(),
      figuresOf: (place) => known.get(place)?.figures ?? null,
      isReading,
      problem,
    };
  }, [known, isReading, problem]);
}

const asOfTurn = (turn: number): string => `turn ${String(turn)}`;

const asOf = ({ endedAtMs }: SweepRow, turn: number): string =>
  endedAtMs === null ? asOfTurn(turn) : `end ${String(endedAtMs)}`;

const canBeRead = ({ beganAtMs, isSeenNow }: SweepRow): boolean => beganAtMs !== null && isSeenNow;

const isDue = (row: SweepRow, as: string | undefined, turn: number): boolean =>
  canBeRead(row) && as !== asOf(row, turn) && as !== asOfTurn(turn);
