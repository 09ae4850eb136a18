// Apart from the types: the window has no use for the schema library.
import { z } from 'zod';
import {
  MAX_CELL_COMMAND_CHARS,
  MAX_CELL_NAME_CHARS,
  MAX_CELLS,
  startError,
  type QueueCell,
  type QueueRequest,
} from './queue-cell.ts';

const text = z
  .string()
  .max(MAX_CELL_COMMAND_CHARS)
  .regex(/^[^\0\r]*$/, 'Use line feeds only, no carriage returns (U26).');

/** Nothing runs of a cell that is commented out, which may be any note. */
const cell = z
  .strictObject({ name: text, command: text, isCommented: z.boolean() })
  .refine(
    ({ name, command, isCommented }) => isCommented || (name !== '' && command.trim() !== ''),
    'A cell has a name and a command.',
  )
  .refine(
    ({ name, isCommented }) =>
      isCommented || (name.length <= MAX_CELL_NAME_CHARS && !/\p{Cc}/u.test(name)),
    `A name has at most ${String(MAX_CELL_NAME_CHARS)} characters, and no control characters.`,
  ) satisfies z.ZodType<QueueCell>;

/** Names are unique, since each is what a person knows a cell by; one that is commented out has none to defend. */
export const queueCells = z
  .array(cell)
  .min(1)
  .max(MAX_CELLS)
  .refine((cells) => {
    const names = cells.flatMap(({ name, isCommented }) => (isCommented ? [] : [name]));
    return new Set(names).size === names.length;
  }, 'Two cells have the same name.')
  .readonly();

export const startIndex = z.int().min(1).max(MAX_CELLS);

export const queueRequest = z
  .strictObject({
    cells: queueCells,
    stopsAtFailure: z.boolean(),
    startsAgain: z.boolean(),
    startIndex: startIndex.exactOptional(),
  })
  .refine(
    (queue) => startError(queue) === null,
    'No cell would run.',
  ) satisfies z.ZodType<QueueRequest>;

/** Of cells that are added together: adding them again with the same one does nothing. */
export const additionId = z.string().regex(/^a-[0-9a-f]{16}$/);
