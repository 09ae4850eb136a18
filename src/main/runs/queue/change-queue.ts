import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { CELL_KEYS, holdsKey, keysAdded } from '../../../shared/runs/launch/checks/key-checks.ts';
import { nameIn } from '../../../shared/runs/launch/savers.ts';
import { resultsError, withResults } from '../../../shared/runs/queue/cell-results.ts';
import { cellLine, type QueueCell } from '../../../shared/runs/queue/queue-cell.ts';
import { afterMark, newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { changeBox } from '../../ssh/change-box.ts';
import { placesOfCells } from '../saved-places.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { mapInTurns } from '../../streams/in-turns.ts';

/** What is to become of a queue after the cells that run. */
export type QueueWish = 'pause' | 'go-on' | 'stop';

const REFUSALS: Readonly<Record<string, string>> = {
  over: 'This run is over already.',
  'no-queue': 'The queue is not on the box any more.',
  'cut-off': 'Only a part of the cells arrived on the box. None was added.',
  full: 'This queue was added to 9999 times, which is as often as it can be.',
  busy: 'Others add cells to this queue at the same time. None of these was added.',
  'not-writable': 'The folder of the queue cannot be written.',
  'disk-full': 'The disk of your home folder on the box is full.',
  'no-inodes': 'The disk of your home folder on the box has no inodes left.',
  quota: 'Your disk quota on the box is used up.',
  'read-only': 'The file system of your home folder on the box is read-only.',
};

/**
 * Tells the run that goes through a queue. Asking twice does what asking once does, so that a lost answer is asked for again: only that
 * settles it, since the first one may still be under way.
 */
export function wishOfQueue(
  connection: SshConnection,
  scripts: OnboxScripts,
  id: string,
  wish: QueueWish,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const run = (on: SshConnection) =>
    scripts.run(on, 'queue-control.sh', {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_ID: id,
      LEASEHOLD_WISH: wish,
    });
  return changeBox<null>(connection, {
    run,
    judge: ({ stdout }) => answerOf(afterMark(stdout, mark)),
    reread: async (fresh) => {
      const again = await run(fresh);
      return again.ok ? answerOf(afterMark(again.value.stdout, mark)) : again;
    },
  });
}

interface AddedTo {
  readonly id: string;
  /** As its run has it. */
  readonly cellResults?: string | null | undefined;
}

/** What a person adds to a queue together. */
export interface AddedCells {
  /** What the box knows these by. */
  readonly addition: string;
  readonly cells: readonly QueueCell[];
  /** Also where a key stands in one of them; absent: not then. */
  readonly overKeys?: boolean;
}

/** Adds cells to a queue, once: `addition` is what the box knows these by, so that a lost answer is asked for again. */
export async function addCells(
  connection: SshConnection,
  scripts: OnboxScripts,
  { id, cellResults = null }: AddedTo,
  { addition, cells: asked, overKeys = false }: AddedCells,
): Promise<Result<null, Problem>> {
  const nowMs = Date.now();
  const keys = await mapInTurns(asked, (cell) => holdsKey(cell, nowMs));
  const holding = asked.filter((_cell, at) => keys[at] === true);
  if (holding.length > 0 && !overKeys) {
    return err(problem('cells-hold-keys', `None was added: ${keysAdded(holding)}`));
  }
  const wrong = cellResults === null ? null : resultsError(asked, cellResults);
  if (wrong !== null) return err(problem('queue-not-changed', `None was added: ${wrong}`));
  const cells = cellResults === null ? asked : withResults(asked, cellResults);
  const mark = newMark();
  const run = (on: SshConnection) =>
    scripts.runWithInput(
      on,
      'queue-add.sh',
      { LEASEHOLD_MARK: mark, LEASEHOLD_QUEUE: id },
      [
        `+${addition}`,
        // What a person went over stays with the cells.
        ...(holding.length === 0 ? [] : [`+over ${CELL_KEYS}`]),
        ...cells.map(cellLine),
        ...['+saves', ...placesOfCells(cells), '+end', ''],
      ].join('\n'),
    );
  const judge = (stdout: string): Result<null, Problem> => {
    const said = afterMark(stdout, mark);
    if (/^shared\b/m.test(said)) return err(sharedWith(nameIn(said)));
    const taken = [...said.matchAll(/^taken (\d{1,6})$/gm)].map(([, at]) => Number(at));
    return taken.length === 0 ? answerOf(said) : err(alreadyThere(taken, cells));
  };
  return changeBox<null>(connection, {
    run,
    judge: ({ stdout }) => judge(stdout),
    reread: async (fresh) => {
      const again = await run(fresh);
      return again.ok ? judge(again.value.stdout) : again;
    },
  });
}

function answerOf(said: string): Result<null, Problem> {
  if (/^(?:done|added)$/m.test(said)) return ok(null);
  const because = /^refused ([a-z-]{1,40})$/m.exec(said)?.[1] ?? '';
  return err(
    problem(
      'queue-not-changed',
      REFUSALS[because] ?? 'The box did not say what became of the queue.',
    ),
  );
}

function sharedWith(name: string | null): Problem {
  const who = plainLine(name ?? '', 80);
  return problem(
    'queue-not-changed',
    `None was added: ${who === '' ? 'another run' : `“${who}”`} saves into the folder of one of these cells right now.`,
    { nextStep: 'Add them once it is over, or give these cells other names.' },
  );
}

const MAX_NAMED = 5;

function alreadyThere(indices: readonly number[], cells: readonly QueueCell[]): Problem {
  const names = indices.slice(0, MAX_NAMED).map((at) => `“${cells[at - 1]?.name ?? ''}”`);
  const more = indices.length > MAX_NAMED ? ' and others' : '';
  return problem(
    'queue-not-changed',
    `None was added: ${names.join(', ')}${more} ${indices.length === 1 ? 'is' : 'are'} in the queue already.`,
    { nextStep: 'Give these cells other names.' },
  );
}
