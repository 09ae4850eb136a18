import { randomBytes } from 'node:crypto';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import { CELL_KEYS } from '../../shared/runs/launch/checks/key-checks.ts';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { readCellList } from '../../shared/runs/queue/cell-list.ts';
import { activeCells } from '../../shared/runs/queue/queue-cell.ts';
import { addCells } from '../runs/queue/change-queue.ts';
import type { Command } from './command.ts';
import { findQueue } from './known-queues.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { OVER, readOver } from './over-flag.ts';
import { readWhole } from './text-input.ts';

export const queueAdd: Command = {
  name: 'queue add',
  summary: 'adds cells to a queue on a box: “name: command” on each line',
  operands: ['<box>', '<run>', '<file|->'],
  flags: { over: OVER },
  details: [
    'The list is written as in the window: indented lines go on with the command above, “#” in front leaves a cell out. All or none are added.',
    'A queue that is over takes them, too; they run once it is resumed.',
    `Cells that hold what looks like a key are refused; --over ${CELL_KEYS} adds them all the same.`,
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such queue, or has a cell of that name, or a cell holds a key. 2: the list cannot be used.',
  ],
  async run({ operands: [name = '', wanted = '', file = ''], flags, isJson }, context) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const { cells, faults } = readCellList(text.value);
    if (faults.length > 0) {
      return {
        refused: faults.map(({ line, says }) => `${file}:${String(line)} ${says}`).join('\n'),
      };
    }
    if (cells.length === 0) return { refused: 'the list has no cell.' };
    return withNamedBox(name, context, async (known) => {
      const added = await overItsLink(known, async (connection) => {
        const found = await findQueue(connection, known, wanted);
        if (!found.ok) return found;
        const { id, run } = found.value;
        const overKeys = readOver(flags).has(CELL_KEYS);
        const addition = { addition: `a-${randomBytes(8).toString('hex')}`, cells, overKeys };
        const queue = { id, cellResults: run.cellResults };
        const done = await addCells(connection, known.scripts, queue, addition);
        return done.ok ? ok(run) : err(problem(done.error.code, done.error.message));
      });
      if (!added.ok) return tellUnreached(known, added.error, 'run', isJson);
      const run = added.value;
      const count = activeCells(cells).length;
      if (isJson) {
        await context.out.json({
          box: known.box.name,
          problem: null,
          run: run.id,
          added: cells.length,
        });
      } else {
        const what = count === 1 ? '1 cell is' : `${String(count)} cells are`;
        const later = isOver(run) ? ' The queue is over: “runs resume” runs them.' : '';
        await context.out.line(
          `${known.box.name}: ${what} added to ${nameOf(run)} (${run.id}).${later}`,
        );
      }
      return 0;
    });
  },
};
