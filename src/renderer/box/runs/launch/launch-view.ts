import { create } from 'zustand';
import type { LaunchedRuns } from '../../../../shared/runs/launch/launched-run.ts';
import { EMPTY_REQUEST, type RequestForm } from '../../../../shared/runs/launch/request-form.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import { call } from '../../../state/bridge.ts';
import { useLaunchedRuns } from '../../../state/launched-runs.ts';
import type { OpenedCell } from './queue/cell-log.tsx';
import { NO_QUEUE_FORM, type QueueForm } from './queue/queue-form.ts';
import type { Feed } from '../../../state/stream-client.ts';

interface LaunchView {
  /** As it was typed, until Leasehold quits. */
  readonly form: RequestForm;
  readonly queue: QueueForm;
  /** The run that the tab shows; null: the list. */
  readonly opened: string | null;
  /** The cell of its queue whose log it shows first; null: none. */
  readonly openedCell: OpenedCell | null;
  /** The run that was shown before the list: the focus goes back to it. */
  readonly left: string | null;
  /** The newest answer that came to a question of this window, which may be here before the stream tells the same. */
  readonly answer: LaunchedRuns | null;
  readonly isLooking: boolean;
}

const NOTHING: LaunchView = {
  form: EMPTY_REQUEST,
  queue: NO_QUEUE_FORM,
  opened: null,
  openedCell: null,
  left: null,
  answer: null,
  isLooking: false,
};

/** What the window knows of launching on each box, beside what the stream tells. */
export const useLaunchView = create<Readonly<Record<string, LaunchView>>>(() => ({}));

export const selectLaunchView =
  (boxId: string) =>
  (state: Readonly<Record<string, LaunchView>>): LaunchView =>
    state[boxId] ?? NOTHING;

function change(boxId: string, part: Partial<LaunchView>): void {
  useLaunchView.setState((all) => ({ [boxId]: { ...selectLaunchView(boxId)(all), ...part } }));
}

export const formTyped = (boxId: string, form: RequestForm): void => change(boxId, { form });
export const queueTyped = (boxId: string, queue: QueueForm): void => change(boxId, { queue });
export const runOpened = (boxId: string, id: string, cell: OpenedCell | null = null): void =>
  change(boxId, { opened: id, openedCell: cell, left: null });
export const runFocused = (boxId: string): void => change(boxId, { left: null });

export function runLeft(boxId: string): void {
  const { opened } = selectLaunchView(boxId)(useLaunchView.getState());
  change(boxId, { opened: null, left: opened });
}

/** Every answer about runs tells of all of them. */
export function runsAnswered(boxId: string, answer: LaunchedRuns): void {
  change(boxId, { answer });
}

/** Looks at the run folders, unless that is being done. */
export async function lookAtRuns(boxId: string): Promise<Result<LaunchedRuns, Problem> | null> {
  if (selectLaunchView(boxId)(useLaunchView.getState()).isLooking) return null;
  change(boxId, { isLooking: true });
  const answer = await call('runs:look', { boxId });
  change(boxId, answer.ok ? { isLooking: false, answer: answer.value } : { isLooking: false });
  return answer;
}

/** The stream, or what the box answered after it. */
export function useRunsOf(boxId: string): Feed<LaunchedRuns> {
  const feed = useLaunchedRuns(boxId);
  const { answer } = useLaunchView(selectLaunchView(boxId));
  if (feed.kind !== 'live' || answer === null) return feed;
  const isNewer = (answer.atMs ?? 0) > (feed.state.atMs ?? 0);
  return isNewer ? { kind: 'live', state: answer } : feed;
}
