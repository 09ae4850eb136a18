// Apart from the type: the window has no use for the schema library.
import { z } from 'zod';
import { ruleError } from '../../transfer/rule-error.ts';
import { runNeeds } from './run-needs-schema.ts';
import type { RunRequest } from './run-request.ts';

/** One line, as a terminal would take it. */
export const line = z
  .string()
  .trim()
  .max(2000, 'Use at most 2000 characters.')
  .regex(/^[^\0\r\n]*$/, 'Write it on one line.');
/** A file of the request may well use line breaks; a NUL ends every text on a box. */
export const script = z
  .string()
  .trim()
  .min(1, 'Write the command that the run is.')
  .max(20_000, 'Use at most 20000 characters: put the rest into a script on the box.')
  .regex(/^[^\0\r]*$/, 'Use line feeds only, no carriage returns (U26).');
export const boxPath = line.regex(
  /^(?:~$|~\/|\/)/,
  'Write a path on the box that begins with / or ~/.',
);
export const runName = line.min(1, 'Give the run a name.').max(80, 'Use at most 80 characters.');
export const envName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
    'A name has letters, digits and _, and begins with no digit.',
  );

/** Something that is there only where it says something. */
export const filled = line.min(1, 'Give it a value, or remove the line.');
export const fetchStep = z.strictObject({ into: filled, run: filled });
export const fetchSteps = z.array(fetchStep).max(50, 'Use at most 50 steps.');
export const diskGib = z
  .number()
  .positive('Write a number above 0.')
  .max(1_000_000, 'Use at most 1000000.');
export const ignoreRules = z
  .array(
    filled.check((found) => {
      const input = ruleError(found.value);
      if (input !== null) found.issues.push({ code: 'custom', input: found.value, message: input });
    }),
  )
  .max(200, 'Use at most 200 patterns.');
export const copyTo = line.regex(
  /^(?:durable$|~\/|\/)/,
  'Write a path on the box that begins with / or ~/, or the word durable.',
);
export const prunePatterns = z
  .array(
    filled.regex(
      /^(?!\/)[/*]*[^/*\t][^\t]*$/,
      'Write a pattern from the results folder on, such as checkpoints/*',
    ),
  )
  .max(50, 'Use at most 50 patterns.');
const copy = z.strictObject({ to: copyTo, prune: prunePatterns.readonly() });
const push = z.strictObject({
  from: filled,
  ignore: ignoreRules.readonly(),
  delete: z.boolean(),
  fixLineEnds: z.boolean(),
  rehash: z.boolean(),
});

/** What is wanted of a run, as a file of the person's project or the form says it. */
export const runRequest = z.strictObject({
  name: runName,
  command: script,
  folder: boxPath,
  activate: line.nullable(),
  env: z.record(envName, line),
  results: line.nullable(),
  successLine: line.nullable(),
  push: push.exactOptional(),
  fetch: fetchSteps.readonly().exactOptional(),
  smoke: filled.exactOptional(),
  copy: copy.exactOptional(),
  diskGib: diskGib.exactOptional(),
  ...runNeeds,
}) satisfies z.ZodType<RunRequest>;

/** Known to the box before anything is started, so that a launch whose answer was lost can be found again. */
export const runId = z.string().regex(/^r-\d{8}-\d{6}-[0-9a-f]{8}$/);
