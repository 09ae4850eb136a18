// Apart from the types: the window has no use for the schema library.
import { z } from 'zod';
import { MAX_PROGRESS, progressError } from '../progress/progress-pattern.ts';
import {
  addressError,
  lineError,
  MAX_NEED,
  notifyLineError,
  patternError,
  secretNameError,
} from './need-rules.ts';
import type { RunNeeds } from './run-needs.ts';
import { TRACKERS } from './tracker.ts';

const ruled = (error: (text: string) => string | null) =>
  z
    .string()
    .trim()
    .check((found) => {
      const message = error(found.value);
      if (message !== null) found.issues.push({ code: 'custom', input: found.value, message });
    });
const listOf = (
  of: z.ZodType<string, string>,
  what: string,
  most: number = MAX_NEED.listed,
): z.ZodType<readonly string[], readonly string[]> =>
  z
    .array(of)
    .min(1, 'List at least one, or remove the line.')
    .max(most, `Use at most ${String(most)} ${what}.`);
const patterns = listOf(ruled(patternError), 'patterns');
const count = (max: number) =>
  z
    .int()
    .min(1, 'Write a whole number above 0.')
    .max(max, `Use at most ${String(max)}.`);
const gib = z
  .number()
  .positive('Write a number of GiB above 0.')
  .max(MAX_NEED.gib, `Use at most ${String(MAX_NEED.gib)}.`);

/** The same in a file and over the bridge, so that each field has one rule. */
export const runNeeds = {
  gpus: z
    .strictObject({
      names: patterns
        .exactOptional()
        .describe('Part of the name of the cards; * is anything. Any one of these will do.'),
      count: count(MAX_NEED.gpus)
        .exactOptional()
        .describe(
          'At least so many of them. Of cells or a sweep: so many for each cell, which sees no others.',
        ),
      gib: gib.exactOptional().describe('At least so much memory on each, in GiB.'),
      cells: count(MAX_NEED.gpus)
        .exactOptional()
        .describe(
          'Of cells or a sweep: at most so many at once on a box. Without it, as many as the free GPUs go round, where count is said.',
        ),
    })
    .exactOptional()
    .meta({
      description: 'Which GPUs the run needs; a box without them blocks the launch.',
      examples: [{ names: ['A100', 'H100'], count: 1, gib: 40 }],
    }),
  checkpoints: z
    .strictObject({
      names: patterns
        .exactOptional()
        .describe('Patterns of the files or folders that are checkpoints.'),
      gib: gib.exactOptional().describe('What one of them takes, in GiB.'),
      kept: count(MAX_NEED.kept).exactOptional().describe('How many a run keeps at once: 1.'),
    })
    .exactOptional()
    .meta({
      description:
        'What the run saves over and over. Their size × how many are kept × the cells counts as disk that it needs.',
      examples: [{ names: ['*.ckpt'], gib: 2.5, kept: 3 }],
    }),
  files: count(MAX_NEED.files)
    .exactOptional()
    .meta({
      description: 'How many files the run leaves, checked against the inodes that are free.',
      examples: [20_000],
    }),
  workers: z
    .strictObject({
      count: z
        .int()
        .min(0)
        .max(MAX_NEED.workers, `Use at most ${String(MAX_NEED.workers)}.`)
        .describe('Data loader workers.'),
      gib: gib.describe('What each of them holds in memory, in GiB.'),
    })
    .exactOptional()
    .meta({
      description:
        'Data loader workers, each with its own copy of the data set: (workers + 1) × copy is checked against the memory.',
      examples: [{ count: 8, gib: 2 }],
    }),
  secrets: listOf(ruled(secretNameError), 'secrets')
    .exactOptional()
    .meta({
      description:
        'Environment variables whose values were put on the box with “Send a secret…”. Only names: a value never stands here.',
      examples: [['WANDB_API_KEY']],
    }),
  tracker: z
    .enum(TRACKERS, { error: `Write one of ${TRACKERS.join(', ')}.` })
    .exactOptional()
    .meta({ description: 'Where the run reports its curves.', examples: ['wandb'] }),
  rehearsal: ruled(lineError)
    .exactOptional()
    .meta({
      description:
        'A cheap command that must have passed on your own computer with the very code that is pushed: `request rehearse` runs it.',
      examples: ['python -m pytest -q'],
    }),
  internet: listOf(ruled(addressError), 'addresses')
    .exactOptional()
    .meta({
      description: 'Addresses that the run must reach; each is asked once before the launch.',
      examples: [['https://huggingface.co']],
    }),
  hours: z
    .number()
    .positive('Write a number of hours above 0.')
    .max(MAX_NEED.hours, `Use at most ${String(MAX_NEED.hours)}.`)
    .exactOptional()
    .meta({
      description:
        'How long you expect the command to take; of a queue, each cell. Gives the cost, and is compared with the timers of the box.',
      examples: [6],
    }),
  platforms: listOf(
    z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Write the id of a profile, such as runpod.'),
    'platforms',
  )
    .exactOptional()
    .meta({
      description:
        'Platforms that the run is meant for, the best first. A box of another one is a warning.',
      examples: [['runpod', 'vastai']],
    }),
  profile: z
    .boolean()
    .exactOptional()
    .meta({
      description:
        'Whether what the profile of the platform says is put into the run: its proxy, its mirrors, its cache folders.',
      examples: [true],
    }),
  evidence: patterns.exactOptional().meta({
    description: 'Patterns below the results folder of what must not be lost.',
    examples: [['metrics.csv', 'best.ckpt']],
  }),
  scratch: patterns.exactOptional().meta({
    description: 'Patterns below the results folder of what need not be kept.',
    examples: [['*.tmp']],
  }),
  progress: listOf(ruled(progressError), 'patterns', MAX_PROGRESS.patterns)
    .exactOptional()
    .meta({
      description:
        'How a line of the log tells how far the run is, where Leasehold does not know it by itself: text with {step}, {total}, {epoch}, {epochs}, {*} for what is skipped, and {any_name} for a figure. The first that fits anywhere in a line counts.',
      examples: [['step {step}/{total} loss={loss}']],
    }),
  notify: z
    .strictObject({
      end: z
        .boolean()
        .exactOptional()
        .describe(
          'Whether the box itself posts to the webhook of Settings when the run has ended, also while your computer sleeps.',
        ),
      line: ruled(notifyLineError)
        .exactOptional()
        .describe('Leasehold tells you of the first line of its log with this text in it.'),
    })
    .exactOptional()
    .meta({
      description:
        'What is armed once the run has begun. Where that fails you are told, and the run goes on. Addresses and tokens never stand here.',
      examples: [{ end: true, line: 'loss is nan' }],
    }),
} satisfies Readonly<Record<keyof RunNeeds, z.ZodType>>;
