// Apart from what a request file holds: the window has no use for the schema library.
import { z } from 'zod';
import {
  boxPath,
  copyTo,
  diskGib,
  envName,
  fetchSteps,
  filled,
  ignoreRules,
  line,
  prunePatterns,
  runName,
  script,
} from '../launch/run-request-schema.ts';
import { runNeeds } from '../launch/run-needs-schema.ts';
import { startError } from '../queue/queue-cell.ts';
import { startIndex } from '../queue/queue-schema.ts';
import { isPerCell, NEEDS_CELL, resultsError } from '../queue/cell-results.ts';
import { fileCells, queueCellsIn } from './cell-fields.ts';
import { sweepFields } from './sweep-fields.ts';

/** As it stands in a project, in the first place where it is looked for. */
export const REQUEST_FILE = 'leasehold.yaml';

/** Whoever opens a project's file may not be led to push what lies around it. */
const ownFolder = filled.regex(
  /^(?!\/|~|[A-Za-z]:|.*\\)(?!(?:.*\/)?\.\.(?:\/|$))/,
  'Write a folder beside this file or below it, such as . or src',
);
const envValue = z.union([line, z.int()], {
  error: 'Write one line of text or a whole number; put anything else in quotes.',
});

const fields = z.strictObject({
  $schema: z
    .string()
    .exactOptional()
    .describe('Where an editor finds this schema. Leasehold does not read it.'),
  name: runName.meta({
    description: 'What the run is called in the list.',
    examples: ['baseline'],
  }),
  command: script.exactOptional().meta({
    description: 'As you would type it in a terminal on the box. Several lines run as one script.',
    examples: ['python train.py --config configs/baseline.yaml'],
  }),
  cells: fileCells.exactOptional().meta({
    description:
      'In place of command: a queue of cells, each with a log and an exit code of its own. They run one after another, or side by side where gpus says how many GPUs each needs.',
    examples: [
      [
        { name: 'lr-1e-3', command: 'python train.py --lr 1e-3' },
        { name: 'lr-1e-4', command: 'python train.py --lr 1e-4' },
      ],
    ],
  }),
  sweep: sweepFields.exactOptional().meta({
    description:
      'In place of command: many cells over one or more boxes, split by what a cell costs on each.',
    examples: [
      {
        command: 'python train.py --lr {lr} --seed {seed} --out {results}',
        grid: { lr: '1e-3, 1e-4', seed: '0, 1, 2' },
        results: 'results/{cell}',
      },
    ],
  }),
  stop_at_failure: z
    .boolean()
    .exactOptional()
    .meta({
      description: 'Of cells: whether the first one that fails is the last one that runs.',
      examples: [true],
    }),
  starts_again: z
    .boolean()
    .exactOptional()
    .meta({
      description:
        'Of cells: whether what is left of them starts by itself after a restart of the box, by a line in your crontab there, where cron runs.',
      examples: [true],
    }),
  start_index: startIndex.exactOptional().meta({
    description:
      'Of cells: the number of the first one that runs. Those before it are left out and keep their numbers.',
    examples: [2],
  }),
  folder: boxPath.meta({
    description: 'Where the command runs: a path on the box that begins with / or ~/.',
    examples: ['~/project'],
  }),
  activate: filled.exactOptional().meta({
    description: 'Run before the command: activates your environment.',
    examples: ['source .venv/bin/activate'],
  }),
  env: z
    .record(envName, envValue)
    .exactOptional()
    .meta({
      description:
        'Environment variables, taken literally. No place for tokens: the values stay on the box.',
      examples: [{ CUDA_VISIBLE_DEVICES: '0' }],
    }),
  results: filled.exactOptional().meta({
    description:
      'Where the run saves its results: inside the folder, or a whole path on the box. Of cells, {cell} becomes the name of each, which then has a folder of its own and finds it in LEASEHOLD_CELL_RESULTS.',
    examples: ['outputs', 'outputs/{cell}'],
  }),
  copy: z
    .strictObject({
      to: copyTo.describe(
        'A folder on the box, in which the copy gets one of its own; durable: on the storage of the platform that survives.',
      ),
      prune: prunePatterns
        .exactOptional()
        .describe('What of the results is removed once the copy was read back.'),
    })
    .exactOptional()
    .meta({
      description:
        'Where the results are copied to once the command has succeeded. The run is done only once the copy was read back; of cells and of a sweep each cell is, and copies its own folder.',
      examples: [{ to: 'durable', prune: ['checkpoints/*'] }],
    }),
  success_line: filled.exactOptional().meta({
    description: 'A text that the log has once all went well. Without it, exit code 0 says so.',
    examples: ['Training finished'],
  }),
  push: z
    .strictObject({
      from: ownFolder
        .exactOptional()
        .describe(
          'The folder of this computer that is pushed, from this file on. Without it, the folder of this file.',
        ),
      ignore: ignoreRules
        .exactOptional()
        .describe('What is left out beside what git ignores, in patterns as in .gitignore.'),
      delete: z
        .boolean()
        .exactOptional()
        .describe('Whether files of an earlier push that are no longer here go from the box.'),
      fix_line_ends: z
        .boolean()
        .exactOptional()
        .describe('Whether Windows line ends of scripts are changed on the way.'),
      rehash: z
        .boolean()
        .exactOptional()
        .describe(
          'Whether every file is read again, also where nothing tells of a change since the last push.',
        ),
    })
    .exactOptional()
    .meta({
      description: 'Code of this computer that is brought into the folder on the box first.',
      examples: [{ from: '.', ignore: ['*.ckpt'], delete: false, fix_line_ends: false }],
    }),
  fetch: fetchSteps.exactOptional().meta({
    description:
      'Data that the box fetches by itself before the command: a folder, which is made, and what runs in it.',
    examples: [[{ into: 'data', run: 'wget -c https://example.org/train.tar' }]],
  }),
  smoke: filled.exactOptional().meta({
    description: 'Run before the command, which does not begin where this fails.',
    examples: ['python train.py --max-steps 2'],
  }),
  disk_gib: diskGib.exactOptional().meta({
    description:
      'What the run will need on the disk of its folder, in GiB, beside its checkpoints.',
    examples: [20],
  }),
  ...runNeeds,
});

/** What two cells share is overwritten, and what none has of its own is not copied. Of a file that is wrong elsewhere, it may hold anything. */
function cellFaults(
  file: z.output<typeof fields>,
): Readonly<Partial<Record<'results' | 'start_index', string>>> {
  const cells = fileCells.safeParse(file.cells);
  const results = filled.safeParse(file.results);
  const from = startIndex.safeParse(file.start_index);
  if (!cells.success) return {};
  const queue = { cells: queueCellsIn(cells.data), stopsAtFailure: false, startsAgain: false };
  const start = from.success ? startError({ ...queue, startIndex: from.data }) : null;
  const isOwn = results.success && isPerCell(results.data);
  const isSaid = file.results === undefined || results.success;
  const lacksOwn = file.copy !== undefined && isSaid ? NEEDS_CELL : null;
  const wrong = isOwn ? resultsError(queue.cells, results.data) : lacksOwn;
  return {
    ...(wrong === null ? {} : { results: wrong }),
    ...(start === null ? {} : { start_index: start }),
  };
}

/** Said of one command, and of a queue nothing. */
const OF_A_COMMAND = {
  success_line: 'A queue has none: each cell has its exit code. Remove it.',
} as const;
const OF_CELLS = {
  stop_at_failure:
    'Only a queue has this setting, and the request has a single command. Remove it.',
  starts_again: 'Only a queue has this setting, and the request has a single command. Remove it.',
  start_index: 'Only a queue has this setting, and the request has a single command. Remove it.',
} as const;
const NOT_OF_A_SWEEP = {
  success_line: 'A sweep has none: each cell has its exit code. Remove it.',
  results: 'In a sweep each cell has a folder of its own: write it as results below sweep.',
  stop_at_failure: 'A sweep goes on after a failure. Remove it.',
  starts_again: 'A sweep does not start again by itself: resume the queue of each box. Remove it.',
  start_index: 'A sweep begins with its first cell on each box. Remove it.',
} as const;

/**
 * What a request file may hold: the one place that says so. `resources/schemas/request.schema.json`, the commands of the command line, the
 * window and the page about it all follow from here.
 */
export const requestFile = fields.superRefine(
  (file, found) => {
    const tell = (field: keyof typeof file, message: string): void =>
      found.addIssue({ code: 'custom', path: [field], message });
    const tellEach = (messages: Readonly<Partial<Record<keyof typeof file, string>>>): void => {
      for (const [field, message] of Object.entries(messages)) {
        if (file[field as keyof typeof file] !== undefined)
          tell(field as keyof typeof file, message);
      }
    };
    const hasCells = file.cells !== undefined;
    if (file.sweep !== undefined) {
      if (hasCells || file.command !== undefined) {
        tell('sweep', 'A request has a command, cells or a sweep: remove all but one.');
      } else tellEach(NOT_OF_A_SWEEP);
    } else if (file.command !== undefined) {
      if (hasCells) tell('cells', 'A request has a command or cells, not both: remove one.');
      else tellEach(OF_CELLS);
    } else if (hasCells) {
      tellEach(OF_A_COMMAND);
      const { results, start_index: start } = cellFaults(file);
      if (results !== undefined) tell('results', results);
      if (start !== undefined) tell('start_index', start);
    } else tell('command', 'Add it, or cells or a sweep in its place: a run cannot do without.');
  },
  // What else is wrong with a file is no reason to keep this from the person.
  { when: () => true },
);

export type RequestFile = z.output<typeof requestFile>;

/** For editors, which check and complete a file by it. */
export function requestJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'A run of Leasehold',
    description: 'What is to run on a rented machine: see docs/request-file.md.',
    ...z.toJSONSchema(requestFile, { io: 'input' }),
    oneOf: [{ required: ['command'] }, { required: ['cells'] }, { required: ['sweep'] }],
  };
}
