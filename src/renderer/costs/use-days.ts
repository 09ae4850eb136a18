import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import type { SpendDays } from '../../shared/meter/spend-days.ts';
import { call } from '../state/bridge.ts';
import { useClock } from '../ui/clock.ts';

/** Bars grow slowly; sums in figures come with the stream. */
const AGAIN_EVERY_MS = 60_000;

export type DaysState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'there'; readonly days: SpendDays };

const LOADING: DaysState = { kind: 'loading' };

/** What each of the last days cost. Asked again from time to time, and at once when `revision` is another. */
export function useDays(boxId: string | null, days: number, revision: string): DaysState {
  const turn = useClock((nowMs) => Math.floor(nowMs / AGAIN_EVERY_MS));
  const [state, setState] = useState(LOADING);
  useEffect(() => {
    let isCurrent = true;
    void call('meter:days', { boxId, days }).then((answer) => {
      if (!isCurrent) return;
      setState(
        answer.ok
          ? { kind: 'there', days: answer.value }
          : { kind: 'failed', problem: answer.error },
      );
    });
    return () => {
      isCurrent = false;
    };
  }, [boxId, days, turn, revision]);
  return state;
}
