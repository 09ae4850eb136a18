import type { TensorboardProcess } from '../probes/box-services.ts';

/** A TensorBoard that answered a request, and what it shows. */
export interface ServingTensorboard {
  readonly port: number;
  readonly logdir: string | null;
  /** Null: it did not say, or said something that is no list. */
  readonly runs: number | null;
}

/** What was looked at on the box; `unknown` where it could not be looked at. */
export interface TensorboardFacts {
  readonly serving: ServingTensorboard | null;
  readonly processes: readonly TensorboardProcess[];
  readonly eventFolders: readonly string[];
  readonly isSearchComplete: boolean;
  /** The box forbids tunnels, so whether anything answers cannot be known from here. */
  readonly isForwardingRefused: boolean;
}

/** What can be done about it. Each is done only when the person clicks, and none touches a run. */
export type TensorboardFix =
  | { readonly kind: 'start'; readonly logdir: string; readonly port: number }
  | {
      readonly kind: 'restart';
      readonly pid: number;
      readonly logdir: string;
      readonly port: number;
    }
  | { readonly kind: 'link'; readonly from: string; readonly into: string };

export type TensorboardCause =
  | 'shows-runs'
  | 'wrong-folder'
  | 'no-events-yet'
  | 'not-running'
  | 'not-reachable'
  | 'forwarding-refused'
  | 'runs-unknown';

/** The three answers: all well, something found, or not known. */
export interface TensorboardFinding {
  readonly kind: 'clear' | 'found' | 'unknown';
  readonly cause: TensorboardCause;
  readonly fixes: readonly TensorboardFix[];
}

export interface TensorboardReport extends TensorboardFacts {
  readonly finding: TensorboardFinding;
}

export const DEFAULT_TENSORBOARD_PORT = 6006;
/** What is asked besides the ports of processes: TensorBoard's own, and the one that AutoDL's image pins (AD7). */
export const USUAL_TENSORBOARD_PORTS = [DEFAULT_TENSORBOARD_PORT, 6007] as const;

/** Why the panel is empty, as gotcha U39 tells the breaks apart: wrong folder, process dead, port not reachable. */
export function diagnoseTensorboard(facts: TensorboardFacts): TensorboardFinding {
  const { serving, processes, isForwardingRefused } = facts;
  if (serving !== null) return judgeServing(serving, facts);
  if (isForwardingRefused) return { kind: 'unknown', cause: 'forwarding-refused', fixes: [] };
  const start = startFix(facts);
  if (processes.length > 0) return { kind: 'found', cause: 'not-reachable', fixes: start };
  return { kind: 'found', cause: 'not-running', fixes: start };
}

function judgeServing(
  { runs, logdir, port }: ServingTensorboard,
  { processes, eventFolders, isSearchComplete }: TensorboardFacts,
): TensorboardFinding {
  if (runs === null) return { kind: 'unknown', cause: 'runs-unknown', fixes: [] };
  if (runs > 0) return { kind: 'clear', cause: 'shows-runs', fixes: [] };
  const outside = eventFolders.filter((each) => logdir === null || !isInside(each, logdir));
  const root = commonFolder(outside);
  if (root === null) {
    // Files below its folder, or none at all: new data appears after the reload interval.
    return isSearchComplete
      ? { kind: 'found', cause: 'no-events-yet', fixes: [] }
      : { kind: 'unknown', cause: 'no-events-yet', fixes: [] };
  }
  const fixes: TensorboardFix[] = [];
  if (logdir !== null) fixes.push({ kind: 'link', from: root, into: logdir });
  const ours = processes.find(({ isOurs, ports }) => isOurs && ports.includes(port));
  if (ours !== undefined) fixes.push({ kind: 'restart', pid: ours.pid, logdir: root, port });
  else fixes.push({ kind: 'start', logdir: root, port: freeNeighbour(port, processes) });
  return { kind: 'found', cause: 'wrong-folder', fixes };
}

function startFix({ eventFolders, processes }: TensorboardFacts): readonly TensorboardFix[] {
  const logdir = commonFolder(eventFolders);
  if (logdir === null) return [];
  const isTaken = processes.some(({ ports }) => ports.includes(DEFAULT_TENSORBOARD_PORT));
  const port = isTaken
    ? freeNeighbour(DEFAULT_TENSORBOARD_PORT, processes)
    : DEFAULT_TENSORBOARD_PORT;
  return [{ kind: 'start', logdir, port }];
}

function freeNeighbour(port: number, processes: readonly TensorboardProcess[]): number {
  const taken = new Set<number>([port, ...USUAL_TENSORBOARD_PORTS]);
  for (const process of processes) for (const each of process.ports) taken.add(each);
  let free = port + 1;
  while (taken.has(free)) free += 1;
  return free;
}

function isInside(path: string, parent: string): boolean {
  const base = parent.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}

/** The deepest folder above all of them. One folder of runs is the usual case; the root of the disk says nothing. */
export function commonFolder(folders: readonly string[]): string | null {
  const [first, ...others] = folders;
  if (first === undefined) return null;
  let parts = first.split('/');
  for (const other of others) {
    const its = other.split('/');
    const differs = parts.findIndex((part, i) => its[i] !== part);
    if (differs !== -1) parts = parts.slice(0, differs);
  }
  const common = parts.join('/');
  return common === '' ? null : common;
}
