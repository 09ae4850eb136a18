// Apart from what a request file holds: the window has no use for the schema library.
import { z } from 'zod';
import { filled } from '../launch/run-request-schema.ts';
import { cellListText } from '../queue/cell-list.ts';
import { MAX_CELL_COMMAND_CHARS } from '../queue/queue-cell.ts';
import {
  makeCells,
  MAX_PARAMETERS_CHARS,
  RESULTS_PATTERN,
  type CellSource,
  type SourceField,
} from '../sweep/make-cells.ts';
import { fileCells, queueCellsIn } from './cell-fields.ts';

const MAX_BOXES = 100;

/** Ten thousand of them fit. */
const listed = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PARAMETERS_CHARS, 'Use a shorter list: a sweep has at most 10000 cells.')
  .regex(/^[^\0\r\n]*$/, 'Write it on one line.');
const values = z.union([listed, z.int()], {
  error:
    'Write the values as one text with commas between, such as 1e-3, 1e-4; a single one with a decimal point needs quotes.',
});
const parameterName = z
  .string()
  .regex(
    /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,39}$/,
    'A name has letters, digits, _, . and -, and begins with a letter or _.',
  );

const fields = z.strictObject({
  command: z
    .string()
    .trim()
    .min(1, 'Write the command of a cell.')
    .max(MAX_CELL_COMMAND_CHARS)
    .exactOptional()
    .meta({
      description:
        'Of a grid: what each cell runs. {name} becomes the value of a parameter, {results} the folder of the cell, {cell} its name.',
    }),
  grid: z.record(parameterName, values).exactOptional().meta({
    description: 'The values of each parameter, with commas between. Every combination is a cell.',
  }),
  cells: fileCells.exactOptional().meta({
    description:
      'In place of a grid: each cell with its own command, in which {results} and {cell} are filled in.',
  }),
  results: filled.exactOptional().meta({
    description: `The folder of each cell, which no two share. Without it, ${RESULTS_PATTERN}.`,
  }),
  boxes: z
    .array(filled)
    .min(1, 'Name at least one box, or remove the line.')
    .max(MAX_BOXES, `Use at most ${String(MAX_BOXES)} boxes.`)
    .exactOptional()
    .meta({
      description:
        'Names of boxes in your list that it runs on, split by what a cell costs on each. Without it, you choose when you launch it.',
    }),
});

type SweepFields = z.output<typeof fields>;

/** As the form of a sweep has it. */
export function cellSourceOf({ command = '', grid, cells }: SweepFields): CellSource {
  return cells === undefined
    ? { kind: 'grid', command, parameters: parametersText(grid ?? {}) }
    : { kind: 'list', text: cellListText(queueCellsIn(cells)) };
}

const parametersText = (grid: NonNullable<SweepFields['grid']>): string =>
  Object.entries(grid)
    .map(([name, listed]) => `${name}: ${String(listed)}`)
    .join('\n');

export const sweepFields = fields.superRefine((sweep, found) => {
  const tell = (path: readonly (string | number)[], message: string): void =>
    found.addIssue({ code: 'custom', path: [...path], message });
  const { command, grid, cells } = sweep;
  if (grid === undefined && cells === undefined) {
    tell(['grid'], 'Add it, or cells in its place: a sweep cannot do without.');
  } else if (grid !== undefined && cells !== undefined) {
    tell(['cells'], 'A sweep has a grid or cells, not both: remove one.');
  } else if (cells !== undefined && command !== undefined) {
    tell(['command'], 'Each of the cells has its own command: remove this one.');
  } else if (grid !== undefined && command === undefined) {
    tell(['command'], 'Add it: it is what each cell of the grid runs.');
  } else {
    const { faults } = makeCells(cellSourceOf(sweep), sweep.results ?? RESULTS_PATTERN);
    for (const [field, says] of Object.entries(faults)) {
      const { path, message } = placed(field as SourceField, says, sweep);
      tell(path, message);
    }
  }
});

interface Placed {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A fault of the form, at the place of the file that it is about. */
function placed(field: SourceField, says: string, { grid = {}, cells = [] }: SweepFields): Placed {
  if (field === 'parameters') {
    const [whole, at] = /^Line (\d+): /.exec(says) ?? [];
    const name = at === undefined ? undefined : Object.keys(grid)[Number(at) - 1];
    if (whole === undefined || name === undefined) return { path: ['grid'], message: says };
    const rest = says.slice(whole.length);
    return { path: ['grid', name], message: rest.charAt(0).toUpperCase() + rest.slice(1) };
  }
  if (field === 'list') {
    const at = cells.findIndex(({ name }) => says.startsWith(`“${name}”: `));
    const name = cells[at]?.name;
    return name === undefined
      ? { path: ['cells'], message: says }
      : { path: ['cells', at, 'command'], message: says.slice(`“${name}”: `.length) };
  }
  return { path: [field], message: says };
}
