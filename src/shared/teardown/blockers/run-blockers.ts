import type { FoundOnBox } from '../found-on-box.ts';
import { MOST_SHOWN, type Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

/** Each by itself: what it has not saved is lost. */
export function aliveRuns({ runs }: FoundOnBox): readonly Raised[] {
  return runs
    .filter(({ isOver }) => !isOver)
    .map(({ id, name }) => ({
      ...{ id: `run-alive:${id}`, kind: 'run-alive', stage: 'inventory', entry: null },
      says: `“${name}” is still running. It would end without warning, and what it has not saved would be lost.`,
      ...{ shows: [id], loss: id },
    }));
}

/** Whether they have ended, and what they left, nobody can say: that is neither over nor nothing. */
export function unknownRuns({ runs }: FoundOnBox, sha256: Hashing): readonly Raised[] {
  return runs.flatMap(({ id, name, unreadable, isUnplaced }): readonly Raised[] => {
    const where = isUnplaced ? ' Where it left its results is not known.' : '';
    if (unreadable !== undefined) {
      return [
        {
          ...{ id: `run-unreadable:${id}`, kind: 'run-unreadable', stage: 'inventory' },
          ...{ entry: null, shows: [id], loss: sha256(JSON.stringify([id, unreadable])) },
          says: `The run “${name}” cannot be read: ${unreadable}.${where}`,
        },
      ];
    }
    if (!isUnplaced) return [];
    return [
      {
        ...{ id: `run-unplaced:${id}`, kind: 'run-unplaced', stage: 'inventory', entry: null },
        says: `The run “${name}” does not say where it worked.${where}`,
        ...{ shows: [id], loss: sha256(JSON.stringify([id, 'unplaced'])) },
      },
    ];
  });
}

/** What holds a GPU is a job, and is told by itself; what only writes to a file is mostly a service of the box, and is told together. */
export function aliveProcesses(
  { processes, processesUnknown }: FoundOnBox,
  sha256: Hashing,
): readonly Raised[] {
  const holders = processes.filter(({ holdsGpu }) => holdsGpu);
  const others = processes.filter(({ holdsGpu }) => !holdsGpu);
  const alive = holders.map((each): Raised => ({
    ...{ id: `process-alive:${each.key}`, kind: 'process-alive', stage: 'inventory', entry: null },
    says: `Process ${String(each.pid)}, which Leasehold did not launch, is still running and holds a GPU.`,
    ...{ shows: [each.command], loss: each.key },
  }));
  if (others.length > 0) {
    const keys = others.map(({ key }) => key).sort();
    alive.push({
      ...{ id: 'process-alive:others', kind: 'process-alive', stage: 'inventory', entry: null },
      says:
        others.length === 1
          ? 'A process that Leasehold did not launch is still writing to a file. It may be a job.'
          : `${String(others.length)} processes that Leasehold did not launch are still writing to files. Any of them may be a job.`,
      shows: others.slice(0, MOST_SHOWN).map(({ pid, command }) => `${String(pid)}: ${command}`),
      loss: sha256(JSON.stringify(keys)),
    });
  }
  if (processesUnknown === null) return alive;
  return [
    ...alive,
    {
      ...{ id: 'processes-unknown', kind: 'processes-unknown', stage: 'inventory', entry: null },
      says: `Whether anything else still runs is not known. ${processesUnknown}`,
      ...{ shows: [], loss: null },
    },
  ];
}
