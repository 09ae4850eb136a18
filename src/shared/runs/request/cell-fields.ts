// Apart from what a request file holds: the window has no use for the schema library.
import { z } from 'zod';
import { cellError, repeatedNames } from '../queue/cell-list.ts';
import { MAX_CELLS, type QueueCell } from '../queue/queue-cell.ts';

const fileCell = z
  .strictObject({
    name: z.string().trim().describe('What the cell is known by: no two have the same.'),
    command: z
      .string()
      .trim()
      .describe('What the cell runs, in the folder and environment of the request.'),
    left_out: z
      .boolean()
      .exactOptional()
      .describe('Whether the cell is not run; it keeps its number.'),
  })
  .superRefine(({ name, command, left_out: isCommented = false }, found) => {
    const wrong = cellError({ name, command, isCommented });
    if (wrong !== null)
      found.addIssue({ code: 'custom', path: [wrong.field], message: wrong.says });
  });

export const fileCells = z
  .array(fileCell)
  .min(1, 'List at least one cell.')
  .max(MAX_CELLS, `A list has at most ${String(MAX_CELLS)} cells.`)
  .superRefine((cells, found) => {
    const named = cells.map(({ name, left_out: isCommented = false }) => ({ name, isCommented }));
    for (const { at, first } of repeatedNames(named)) {
      const message = `“${named[first]?.name ?? ''}” is the name of cell ${String(first + 1)} already.`;
      found.addIssue({ code: 'custom', path: [at, 'name'], message });
    }
    if (cells.length > 0 && named.every(({ isCommented }) => isCommented)) {
      found.addIssue({ code: 'custom', message: 'Every cell is left out.' });
    }
  });

/** As a list in the window has them. */
export function queueCellsIn(cells: z.output<typeof fileCells>): readonly QueueCell[] {
  return cells.map(({ name, command, left_out: isCommented = false }) => ({
    name,
    command: command
      .split('\n')
      .map((each) => each.trimEnd())
      .join('\n'),
    isCommented,
  }));
}

/** The other way round. */
export function fileCellsOf(cells: readonly QueueCell[]): z.output<typeof fileCells> {
  return cells.map(({ name, command, isCommented }) => ({
    name,
    command: scriptOf(command),
    ...(isCommented ? { left_out: true } : {}),
  }));
}

/** As YAML writes it best: a text of several lines ends with one. */
export const scriptOf = (command: string): string =>
  command.includes('\n') ? `${command}\n` : command;
