import { lifeOf, type FoundOnBox } from '../found-on-box.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

/** Each by itself: what it has not saved is lost. */
export function aliveRuns({ runs }: FoundOnBox): readonly Raised[] {
  return runs
    .filter(({ isOver }) => !isOver)
    .map(({ id, name, elsewhere }) => ({
      ...{ id: `run-alive:${id}`, kind: 'run-alive', stage: 'inventory', entry: null },
      says:
        elsewhere === undefined
          ? `“${name}” is still running. It would end without warning, and what it has not saved would be lost.`
          : `“${name}” was launched on ${elsewhere}, which has the same home, and no end of it is written down. If it still runs there, it may lose its folder.`,
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

/** The folder in which a box keeps its runs goes with the mount of a home, and then it seems that nothing ever ran. One cause is told once. */
export function missingRuns(
  { missing, machine }: Pick<FoundOnBox, 'missing' | 'machine'>,
  sha256: Hashing,
): readonly Raised[] {
  if (missing.length === 0) return [];
  const were =
    missing.length === 1
      ? 'that was launched on this box is'
      : 'that were launched on this box are';
  return [
    {
      ...{ id: 'run-missing', kind: 'run-missing', stage: 'inventory', entry: null },
      says: `${countOf(missing.length, 'run')} ${were} not there any more: the folder in which the box keeps its runs was deleted or is not mounted, or the launch failed. Whether they still run, and what they left since, is not known.`,
      shows: missing
        .slice(0, MOST_SHOWN)
        .map(({ id, name }) => (name === null ? id : `“${name}” (${id})`)),
      loss: sha256(
        JSON.stringify(['missing', missing.map(({ id }) => id).sort(), lifeOf(machine)]),
      ),
    },
  ];
}

/** What holds a GPU is a job, and is told by itself; what only writes to a file is mostly a service of the box, and is told together. */
export function aliveProcesses(
  { processes, processesUnknown, machine }: FoundOnBox,
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
  const { because, isAnswer } = processesUnknown;
  return [
    ...alive,
    {
      ...{ id: 'processes-unknown', kind: 'processes-unknown', stage: 'inventory', entry: 'GEN8' },
      says: `Whether anything else still runs is not known. ${because}`,
      shows: [],
      // A box without a process table will never say more; one that did not answer is asked again.
      loss: isAnswer ? sha256(JSON.stringify(['processes', because, machine])) : null,
    },
  ];
}
