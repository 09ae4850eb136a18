import { useEffect, useReducer, useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { HistoryAnswer } from '../../../shared/telemetry/history.ts';
import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import { call } from '../../state/bridge.ts';
import { MAX_POINTS, MINUTE_MS, type TimeAxis } from './time-axis.ts';
import { LONGEST_SPAN_MS, type TimeWindow } from './time-window.ts';

/** What the charts draw, and what dmon says about who held the clock. */
const CHARTED: Metric[] = [
  'smPct',
  'memPct',
  'smClockMHz',
  'powerW',
  'temperatureC',
  'memoryTemperatureC',
  'memoryUsedMiB',
  'pcieRxMBps',
  'pcieTxMBps',
  'powerViolationPct',
  'isThermallyHeld',
];

export interface Past {
  /** The newest answer, for this window or the one before it. */
  readonly answer: HistoryAnswer | null;
  /** The window as it was when the answer was asked for. */
  readonly answered: TimeWindow | null;
  readonly problem: Problem | null;
  readonly retry: () => void;
}

interface Answered {
  readonly boxId: string;
  readonly window: TimeWindow;
  readonly answer: HistoryAnswer | null;
  readonly problem: Problem | null;
}

/** While a window is dragged along, main is asked only when it rests. */
const REST_MS = 120;

/**
 * The stored past behind the live rings. `epoch`: asked anew whenever it changes, because a link that goes or comes back
 * begins or ends a gap.
 */
export function usePast(boxId: string, window: TimeWindow, epoch: string): Past {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [tries, retry] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const answer = await call('history:query', {
        boxId,
        gpus: null,
        metrics: CHARTED,
        ...askedRange(window, Date.now()),
      });
      if (!isCurrent) return;
      setAnswered((before) => {
        if (answer.ok) return { boxId, window, answer: answer.value, problem: null };
        const kept = before?.boxId === boxId ? before.answer : null;
        return { boxId, window, answer: kept, problem: answer.error };
      });
    };
    const first = setTimeout(() => void ask(), window.held?.why === 'moved' ? REST_MS : 0);
    const again =
      window.held === null ? setInterval(() => void ask(), askEveryMs(window.rangeMs)) : undefined;
    return () => {
      isCurrent = false;
      clearTimeout(first);
      clearInterval(again);
    };
  }, [boxId, window, epoch, tries]);
  const own = answered?.boxId === boxId ? answered : null;
  return {
    answer: own?.answer ?? null,
    answered: own?.window ?? null,
    problem: own?.problem ?? null,
    retry,
  };
}

/** The rings hold the newest 15 minutes, so this only has to bring gaps, marks and what falls out of the rings. */
function askEveryMs(rangeMs: number): number {
  return Math.min(5 * MINUTE_MS, Math.max(MINUTE_MS / 2, rangeMs / 60));
}

/** A held window is asked for with as much again around it, so that moving it shows something at once. */
function askedRange({ rangeMs, held }: TimeWindow, nowMs: number) {
  if (held === null) return { fromMs: nowMs - rangeMs, toMs: nowMs, maxPoints: MAX_POINTS };
  const marginMs = Math.round((held.toMs - held.fromMs) / 2);
  const wide: TimeAxis = {
    fromMs: Math.max(0, held.fromMs - marginMs),
    toMs: Math.min(nowMs, held.toMs + marginMs),
  };
  return { ...wide, maxPoints: 2 * MAX_POINTS };
}

/** Whether a box without a live reading has a past to show; null: not known yet. */
export function useHasPast(boxId: string, isAsked: boolean): boolean | null {
  const [known, setKnown] = useState<{ boxId: string; hasPast: boolean } | null>(null);
  useEffect(() => {
    if (!isAsked) return undefined;
    let isCurrent = true;
    const nowMs = Date.now();
    void call('history:query', {
      boxId,
      gpus: null,
      metrics: ['smPct'],
      fromMs: nowMs - LONGEST_SPAN_MS,
      toMs: nowMs,
      maxPoints: 4,
    }).then((answer) => {
      // A refusal is told where the charts ask for the same; here it only means that there is nothing to draw.
      if (isCurrent) setKnown({ boxId, hasPast: answer.ok && answer.value.gpus.length > 0 });
    });
    return () => {
      isCurrent = false;
    };
  }, [boxId, isAsked]);
  return known?.boxId === boxId ? known.hasPast : null;
}
