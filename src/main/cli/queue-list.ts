import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { isAlive, nameOf, statusWords, textOf } from '../../shared/runs/launch/run-words.ts';
import { queueEnd } from '../../shared/runs/queue/queue-end.ts';
import type { CellState } from '../../shared/runs/queue/queue-view.ts';
import { cellWords } from '../../shared/runs/queue/queue-words.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import type { Command } from './command.ts';
import { readQueue } from './known-queues.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { tableLines } from './table.ts';

export const queueList: Command = {
  name: 'queue list',
  summary: 'the cells of a queue on a box, and how each stands',
  operands: ['<box>', '<run>'],
  flags: {},
  details: [
    'The queue is given by the id of any of its runs, or by its name where only one has it. Changes nothing.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such queue, or did not tell it as a whole.',
  ],
  run: ({ operands: [name = '', wanted = ''], isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const read = await overItsLink(known, (connection) => readQueue(connection, known, wanted));
      if (!read.ok) return tellUnreached(known, read.error, 'queue', isJson);
      const { id, run, look } = read.value;
      const cells = read.value.cells.map(({ index, name: cell, command, state }) => ({
        ...{ index, name: redactText(cell), command: redactText(command) },
        state: run.status.kind === 'elsewhere' ? asWritten(state) : state,
      }));
      const { isPaused, isStopping, left } = look;
      if (isJson) {
        const queue = {
          id,
          run: run.id,
          status: run.status,
          isPaused,
          isStopping,
          left,
          cells,
        };
        await context.out.json({ box: known.box.name, problem: null, queue });
        return 0;
      }
      const wish = isStopping ? ', stops after this cell' : isPaused ? ', paused' : '';
      const end = endWords(
        read.value.cells.map(({ state }) => state),
        { ...look, isAlive: isAlive(run) },
      );
      await context.out.line(
        `${known.box.name} · ${nameOf(run)} (${run.id}): ${statusWords(run, true).words}${wish}${end === null ? '' : `. ${end}`}`,
      );
      if (left.length > 0) {
        const pids = left.join(', ');
        await context.out.line(`Of an interrupted cell these processes still run: ${pids}.`);
      }
      const rows = cells.map(({ index, name: cell, command, state }) => [
        String(index),
        textOf(cell),
        state.kind === 'begun' ? 'Begun' : cellWords(state, true).words,
        'beganAtMs' in state ? isoTime(state.beganAtMs) : null,
        textOf(command),
      ]);
      await context.out.lines(tableLines(['no.', 'name', 'stands', 'began', 'command'], rows));
      return 0;
    }),
};

/** That it began, and perhaps that it has run, is all that is known of a cell which another machine goes through. */
interface Begun {
  readonly kind: 'begun';
  readonly beganAtMs: number;
  readonly ranAtMs?: number;
}

function asWritten(state: CellState): CellState | Begun {
  if (state.kind === 'running') return { kind: 'begun', beganAtMs: state.beganAtMs };
  return state.kind === 'copying' ? { ...state, kind: 'begun' } : state;
}

/** Null: nothing is left to do, or nothing does it. */
function endWords(
  states: readonly CellState[],
  look: {
    readonly slots: number;
    readonly isPaused: boolean;
    readonly isStopping: boolean;
    readonly isAlive: boolean;
  },
): string | null {
  const end = queueEnd(states, look, Date.now());
  if (!look.isAlive || end.kind === 'nothing-left') return null;
  if (look.isPaused && !look.isStopping) return 'No estimate while the queue is paused.';
  if (end.kind === 'unknown') return 'The end can be estimated once the first cell is done.';
  const { fromMs, toMs } = end.span;
  return `Ends between ${isoTime(fromMs)} and ${isoTime(toMs)}, by the cells that are done.`;
}
