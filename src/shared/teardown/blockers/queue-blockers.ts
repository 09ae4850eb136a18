import { GROUP_WORDS } from '../../runs/sweep/sweep-words.ts';
import type { FoundOnBox, FoundSweep } from '../found-on-box.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

/** Cells that have not run are results that nobody will ever have, whoever stopped their queue. */
export function waitingQueues(
  { queues }: Pick<FoundOnBox, 'queues'>,
  sha256: Hashing,
): readonly Raised[] {
  return queues.map(({ id, name, isPaused, isStopping, cells }) => {
    const how = isPaused ? 'is paused' : isStopping ? 'was stopped' : 'is not done';
    return {
      ...{ id: `queue-waiting:${id}`, kind: 'queue-waiting', stage: 'inventory', entry: null },
      says: `The queue “${name}” ${how}, with ${countOf(cells.length, 'cell')} left to run.`,
      ...{ shows: cells.slice(0, MOST_SHOWN), loss: sha256(JSON.stringify(cells)) },
    };
  });
}

/** The boxes of a sweep hold one roster together: what is missing on one of them may only be seen, or made good, while all are there. */
export function openSweeps(
  { sweeps }: Pick<FoundOnBox, 'sweeps'>,
  sha256: Hashing,
): readonly Raised[] {
  return sweeps.flatMap((sweep) => {
    const said = sweepWords(sweep);
    if (said === null) return [];
    const { id, because, open, which } = sweep;
    return [
      {
        ...({
          id: `sweep-open:${id}`,
          kind: 'sweep-open',
          stage: 'inventory',
          entry: null,
        } as const),
        says: said,
        shows: open.map(([group, count]) => `${GROUP_WORDS[group]}: ${String(count)}`),
        loss: because === null ? sha256(JSON.stringify(which)) : null,
      },
    ];
  });
}

function sweepWords({ name, cells, open, because }: FoundSweep): string | null {
  if (because !== null) {
    return `The sweep “${name}” could not be compared with its roster. ${because}`;
  }
  if (open.length === 0) return null;
  const twice = open.find(([group]) => group === 'twice')?.[1] ?? 0;
  const undone = open.reduce((all, [group, count]) => (group === 'twice' ? all : all + count), 0);
  const parts = [
    ...(undone === 0 ? [] : [`${String(undone)} of ${countOf(cells, 'cell')} not done`]),
    ...(twice === 0 ? [] : [`${countOf(twice, 'cell')} done more than once`]),
  ];
  return `The sweep “${name}” does not match its roster: ${parts.join(', ')}.`;
}
