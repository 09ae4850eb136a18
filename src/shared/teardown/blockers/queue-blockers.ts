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
  return sweeps.flatMap((sweep) => [...openRoster(sweep, sha256), ...awayCells(sweep, sha256)]);
}

function openRoster(sweep: FoundSweep, sha256: Hashing): readonly Raised[] {
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
}

/** What a sweep found is all of its cells: none of its boxes goes while results of another one are nowhere but there. */
function awayCells({ id, name, away }: FoundSweep, sha256: Hashing): readonly Raised[] {
  const cells = away.reduce((all, each) => all + each.cells, 0);
  if (cells === 0) return [];
  const boxes = away.length === 1 ? 'another box' : `${String(away.length)} other boxes`;
  return [
    {
      ...({ id: `sweep-away:${id}`, kind: 'sweep-open', stage: 'pulled', entry: null } as const),
      says: `The sweep “${name}” has ${countOf(cells, 'cell')} on ${boxes} whose results are not proven to be here.`,
      shows: away
        .slice(0, MOST_SHOWN)
        .map((each) => `${each.boxName}: ${countOf(each.cells, 'cell')}`),
      loss: sha256(JSON.stringify(away)),
    },
  ];
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
