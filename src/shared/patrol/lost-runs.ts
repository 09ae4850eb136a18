import { isSameProcess, parseProcessKey, type ProcessRef } from '../runs/process-ref.ts';
import type { GoneRun, SeenRun } from './patrol-state.ts';

/**
 * The runs that are gone and did not come back. The same command in the same folder came back if it began after the other was seen
 * for the last time: a twin that ran beside it all along did not, and each one that began makes good only one that ended.
 */
export function selectLost(gone: readonly GoneRun[], seen: readonly SeenRun[]): readonly GoneRun[] {
  const lost = new Set(gone.filter(({ cause }) => cause !== 'finished'));
  const began = [...seen, ...gone]
    .flatMap((run) => (run.sinceMs === null ? [] : [{ ...run, sinceMs: run.sinceMs }]))
    .sort((a, b) => a.sinceMs - b.sinceMs);
  for (const run of began) {
    const before = [...lost]
      .filter((each) => isRestart(run, each))
      .sort((a, b) => a.lastSeenMs - b.lastSeenMs)[0];
    if (before !== undefined) lost.delete(before);
  }
  return gone.filter((run) => lost.has(run));
}

type Began = ProcessRef & Pick<SeenRun, 'command' | 'folder'> & { readonly sinceMs: number };

function isRestart(run: Began, before: GoneRun): boolean {
  return (
    run.command !== null &&
    run.command === before.command &&
    run.folder === before.folder &&
    run.sinceMs > before.lastSeenMs &&
    !isSameProcess(run, before) &&
    // Their clocks are told in whole seconds, and an answer may be slow: who was there before is known by name.
    !ranBeside(before, run)
  );
}

function ranBeside({ bootId, twins }: GoneRun, run: ProcessRef): boolean {
  return twins.some((key) => {
    const twin = parseProcessKey(key);
    return twin !== null && isSameProcess({ bootId, ...twin }, run);
  });
}
