// Apart from the types: the window has no use for the schema library.
import { z } from 'zod';
import { line, runId, runName, runRequest } from '../launch/run-request-schema.ts';
import {
  MAX_CELL_COMMAND_CHARS,
  MAX_CELL_NAME_CHARS,
  MAX_LIST_CHARS,
} from '../queue/queue-cell.ts';
import type { WantedSweep } from '../request/wanted-sweep.ts';
import { findSameName, findSharedFolder } from './cell-folders.ts';
import { MAX_PARAMETERS_CHARS, MAX_SWEEP_CELLS, type CellSource } from './make-cells.ts';
import type { RosterCell, SweepBase, SweepRoster, SweepShare } from './sweep-roster.ts';

export const sweepId = z.string().regex(/^s-\d{8}-\d{6}-[0-9a-f]{8}$/);

const cell = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(MAX_CELL_NAME_CHARS)
    .regex(/^[^\p{Cc}]*$/u, 'A name has no control characters.'),
  command: z
    .string()
    .min(1)
    .max(MAX_CELL_COMMAND_CHARS)
    .regex(/^[^\0\r]*$/, 'Use line feeds only, no carriage returns (U26).'),
  results: line.min(1),
}) satisfies z.ZodType<RosterCell>;

/** Main proves again what the window has proven: what two cells share is overwritten. */
export const rosterCells = z
  .array(cell)
  .min(1)
  .max(MAX_SWEEP_CELLS)
  .refine((cells) => findSameName(cells) === null, 'Two cells have the same name.')
  .refine((cells) => findSharedFolder(cells) === null, 'Two cells save into one folder.')
  .readonly();

const ofCells = {
  name: true,
  command: true,
  results: true,
  successLine: true,
  push: true,
} as const;

export const sweepBase = runRequest.omit(ofCells) satisfies z.ZodType<SweepBase>;

const cellSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('grid'),
    command: z.string().max(MAX_CELL_COMMAND_CHARS),
    parameters: z.string().max(MAX_PARAMETERS_CHARS),
  }),
  z.strictObject({ kind: z.literal('list'), text: z.string().max(MAX_LIST_CHARS) }),
]) satisfies z.ZodType<CellSource>;

/** What a sweep is launched from: it gets its id with its plan. */
export const sweepDraft = z.strictObject({
  name: runName,
  base: sweepBase,
  source: cellSource,
  pattern: z.string().max(500),
  push: runRequest.shape.push,
});
export const sweepRoster = z.strictObject({
  id: sweepId,
  name: runName,
  base: sweepBase,
  cells: rosterCells,
}) satisfies z.ZodType<SweepRoster>;

/** What a request file says of a sweep. */
export const wantedSweep = z.strictObject({
  source: cellSource,
  pattern: sweepDraft.shape.pattern,
  boxes: z.array(z.string().min(1).max(2000)).min(1).max(100).readonly().nullable(),
}) satisfies z.ZodType<WantedSweep>;

/** Places in the roster. */
export const cellPlaces = z.array(z.int().min(0).max(MAX_SWEEP_CELLS)).max(MAX_SWEEP_CELLS);

export const sweepShare = z.strictObject({
  run: runId,
  place: z.string().max(200),
  cells: cellPlaces.readonly(),
}) satisfies z.ZodType<SweepShare>;

/** The file "sweep" of a run folder. */
export const sweepFile = z.strictObject({
  version: z.literal(1),
  roster: sweepRoster,
  /** Of the launch that it came with. */
  shares: z.array(sweepShare).max(100).readonly(),
});
export type SweepFile = z.output<typeof sweepFile>;
