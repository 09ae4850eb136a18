import { create } from 'zustand';
import type { PushView } from '../../../../shared/push/push-plan.ts';
import type { PushWaiter } from '../../../../shared/push/push-waiter.ts';
import { isSameProcess, type ProcessRef } from '../../../../shared/runs/process-ref.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import { call } from '../../../state/bridge.ts';

/** What is known of the waiters of one box. */
export interface PushSeen {
  /** The newest answer of the box; null: it gave none yet. */
  readonly view: PushView | null;
  /** Why the newest look brought nothing; null: it did. */
  readonly problem: Problem | null;
  readonly isLooking: boolean;
}

const NOTHING: PushSeen = { view: null, problem: null, isLooking: false };

/** By box, for the card of each run and the list below them. */
export const usePushes = create<Readonly<Record<string, PushSeen>>>(() => ({}));

export const selectPushes =
  (boxId: string) =>
  (state: Readonly<Record<string, PushSeen>>): PushSeen =>
    state[boxId] ?? NOTHING;

/** Asks the box, unless it is being asked. */
export async function lookAtPushes(boxId: string): Promise<void> {
  const seen = selectPushes(boxId)(usePushes.getState());
  if (seen.isLooking) return;
  usePushes.setState({ [boxId]: { ...seen, isLooking: true } });
  pushesAnswered(boxId, await call('push:look', { boxId }));
}

/** Every answer about waiters tells of all of them. */
export function pushesAnswered(boxId: string, answer: Result<PushView, Problem>): void {
  const { view } = selectPushes(boxId)(usePushes.getState());
  usePushes.setState({
    [boxId]: answer.ok
      ? { view: answer.value, problem: null, isLooking: false }
      : { view, problem: answer.error, isLooking: false },
  });
}

/** The waiter that waits for this run; null: none does, as far as the newest look knows. */
export function waiterFor(view: PushView | null, run: ProcessRef): PushWaiter | null {
  return (
    view?.look.waiters.find(
      (each) => isSameProcess(each.process, run) && each.state.kind === 'waiting',
    ) ?? null
  );
}
