import type { PatrolLook, ProcessRow } from './patrol-look.ts';

/** How many workers a run has, and how many fit. An estimate. */
export interface SafeWorkers {
  readonly workers: number;
  readonly eachBytes: number;
  /** Of all of them, below the line at which memory is told to be short. */
  readonly fit: number;
}

/** Principles §3: "cgroup memory above 90% = OOM risk". */
const SAFE_SHARE = 0.9;
/** One child may be anything. */
const LEAST_WORKERS = 2;

/**
 * Gotcha U9: "size workers from memory.max and per-worker resident memory". Workers are what a run that holds a card has below
 * itself and what has nothing below: ranks of a launcher hold cards themselves. Null: there are none, or too little is told.
 */
export function safeWorkers({ memory, processes, runs }: PatrolLook): SafeWorkers | null {
  const [limit, used] = [memory?.limitBytes ?? null, memory?.usedBytes ?? null];
  if (typeof limit !== 'number' || used === null || !processes.isWhole) return null;
  const parents = new Set(processes.rows.map(({ parentPid }) => parentPid));
  const ofRuns = new Set(runs.filter(({ holdsGpu }) => holdsGpu).map(({ pid }) => pid));
  const workers = processes.rows.filter(
    ({ pid, parentPid, state }) => ofRuns.has(parentPid) && !parents.has(pid) && state !== 'Z',
  );
  const sizes = workers.flatMap(({ residentBytes }) => residentBytes ?? []);
  if (workers.length < LEAST_WORKERS || sizes.length < workers.length) return null;
  const eachBytes = middleOf(sizes);
  if (eachBytes <= 0) return null;
  const sum = sizes.reduce((all, each) => all + each, 0);
  // What they share is counted for each of them, so what is left for the others may seem to be less than nothing.
  const others = Math.max(used - sum, mainOf(processes.rows, ofRuns));
  const fit = Math.floor((limit * SAFE_SHARE - others) / eachBytes);
  return { workers: workers.length, eachBytes, fit: Math.min(workers.length, Math.max(0, fit)) };
}

function mainOf(rows: readonly ProcessRow[], pids: ReadonlySet<number>): number {
  return rows
    .filter(({ pid }) => pids.has(pid))
    .reduce((sum, { residentBytes }) => sum + (residentBytes ?? 0), 0);
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
