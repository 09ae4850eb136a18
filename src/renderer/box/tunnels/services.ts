import { create } from 'zustand';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { JupyterListing } from '../../../shared/tunnels/jupyter.ts';
import type { TensorboardFix, TensorboardReport } from '../../../shared/tunnels/tensorboard.ts';
import { call } from '../../state/bridge.ts';
import { tabChosen } from '../../state/view.ts';

/** What is known of one kind of service of a box; absent: nobody asked yet. */
export type Looked<T> =
  | { readonly kind: 'busy'; readonly doing: string }
  | { readonly kind: 'seen'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: Problem };

interface ServicesState {
  readonly tensorboards: Readonly<Record<string, Looked<TensorboardReport>>>;
  readonly jupyters: Readonly<Record<string, Looked<readonly JupyterListing[]>>>;
  /** The port whose token was put into the clipboard last. */
  readonly copiedTokens: Readonly<Record<string, number>>;
}

/** By box id. Kept while the window lives, so that changing tabs does not lose an answer that took seconds. */
export const useServices = create<ServicesState>(() => ({
  tensorboards: {},
  jupyters: {},
  copiedTokens: {},
}));

function setTensorboard(boxId: string, looked: Looked<TensorboardReport>): void {
  useServices.setState(({ tensorboards }) => ({
    tensorboards: { ...tensorboards, [boxId]: looked },
  }));
}

function setJupyter(boxId: string, looked: Looked<readonly JupyterListing[]>): void {
  useServices.setState(({ jupyters }) => ({ jupyters: { ...jupyters, [boxId]: looked } }));
}

function toLooked<T>(answer: Result<T, Problem>): Looked<T> {
  return answer.ok
    ? { kind: 'seen', value: answer.value }
    : { kind: 'failed', problem: answer.error };
}

/** Looks for a TensorBoard and opens the one that answers. Where none does, the panel says why and what can be done. */
export async function tensorboardRequested(
  boxId: string,
  where: 'window' | 'browser' = 'window',
): Promise<void> {
  tabChosen(boxId, 'tunnels');
  setTensorboard(boxId, { kind: 'busy', doing: 'Looking for TensorBoard on the box…' });
  const looked = await call('tensorboard:look', { boxId });
  setTensorboard(boxId, toLooked(looked));
  if (!looked.ok || looked.value.serving === null) return;
  const opened = await call('tensorboard:open', { boxId, where });
  if (!opened.ok) setTensorboard(boxId, { kind: 'failed', problem: opened.error });
}

/** Does what the person chose. None of these touches a run. */
export async function fixChosen(boxId: string, fix: TensorboardFix): Promise<void> {
  const doing = fix.kind === 'link' ? 'Making the link…' : 'Starting TensorBoard on the box…';
  setTensorboard(boxId, { kind: 'busy', doing });
  const done = await applyFix(boxId, fix);
  setTensorboard(boxId, toLooked(done));
}

async function applyFix(
  boxId: string,
  fix: TensorboardFix,
): Promise<Result<TensorboardReport, Problem>> {
  if (fix.kind === 'link') {
    return call('tensorboard:link', { boxId, from: fix.from, into: fix.into });
  }
  if (fix.kind === 'restart') {
    const stopped = await call('tensorboard:stop', { boxId, pid: fix.pid });
    if (!stopped.ok) return stopped;
  }
  return call('tensorboard:start', { boxId, logdir: fix.logdir, port: fix.port });
}

export async function tensorboardStopped(boxId: string, pid: number): Promise<void> {
  setTensorboard(boxId, { kind: 'busy', doing: 'Ending TensorBoard on the box…' });
  setTensorboard(boxId, toLooked(await call('tensorboard:stop', { boxId, pid })));
}

export async function jupytersRequested(boxId: string): Promise<void> {
  setJupyter(boxId, { kind: 'busy', doing: 'Looking for Jupyter on the box…' });
  setJupyter(boxId, toLooked(await call('jupyter:list', { boxId })));
}

export async function jupyterOpened(
  boxId: string,
  port: number,
  where: 'window' | 'browser',
): Promise<void> {
  const opened = await call('jupyter:open', { boxId, port, where });
  if (!opened.ok) setJupyter(boxId, { kind: 'failed', problem: opened.error });
  else if (opened.value.isTokenCopied) tokenCopied(boxId, port);
}

export function tokenCopied(boxId: string, port: number): void {
  useServices.setState(({ copiedTokens }) => ({
    copiedTokens: { ...copiedTokens, [boxId]: port },
  }));
}
