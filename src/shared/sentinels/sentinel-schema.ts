import { z } from 'zod';
import { numberedProcess } from '../runs/process-ref-schema.ts';
import {
  MAX_ARMED,
  MAX_ENDING_CHARS,
  MAX_FILES,
  MAX_FOR_MS,
  MAX_OVER,
  MAX_PATH_CHARS,
  MAX_PID,
  MAX_TEXT_CHARS,
  MIN_FOR_MS,
  type Awaited,
  type OverSentinel,
  type Sentinel,
} from './sentinel.ts';

/** SECURITY: the script on the box takes them apart at control characters, so none may have one. */
const plain = (maxChars: number): z.ZodString =>
  z
    .string()
    .max(maxChars)
    .regex(/^\P{Cc}*$/u);
const path = plain(MAX_PATH_CHARS).startsWith('/');
const ending = plain(MAX_ENDING_CHARS).regex(/^[^/]*$/);

const moment = z.int().min(0);
const count = z.number().min(0);
const words = z.string().max(1000);

/** What the person waits for, as it comes from the window and as it is kept. */
export const awaited = z.discriminatedUnion('kind', [
  numberedProcess.extend({
    kind: z.literal('process'),
    pid: z.int().min(1).max(MAX_PID),
    name: plain(MAX_PATH_CHARS),
  }),
  z.strictObject({ kind: z.literal('file'), path }),
  z.strictObject({ kind: z.literal('line'), path, text: plain(MAX_TEXT_CHARS).min(1) }),
  z.strictObject({
    kind: z.literal('count'),
    folder: path,
    ending,
    atLeast: z.int().min(1).max(MAX_FILES),
  }),
  z.strictObject({ kind: z.literal('newest'), folder: path, ending }),
]) satisfies z.ZodType<Awaited>;

export const forMs = z.int().min(MIN_FOR_MS).max(MAX_FOR_MS);

const span = z.strictObject({ fromMs: moment, toMs: moment });

const seen = z.strictObject({
  atMs: moment,
  isThere: z.boolean(),
  writtenAtMs: z.number().nullable(),
  bytes: count.nullable(),
  files: count.nullable(),
  path: words.nullable(),
  unreadBytes: count.nullable(),
});

const base = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('process'), startTicks: count }),
  z.strictObject({
    kind: z.literal('file'),
    was: z.strictObject({ modifiedAtS: count, bytes: count }).nullable(),
  }),
  z.strictObject({
    kind: z.literal('line'),
    inode: z
      .string()
      .regex(/^\d{1,20}$/)
      .nullable(),
    offset: count,
    print: count.nullable(),
  }),
  z.strictObject({ kind: z.literal('count') }),
  z.strictObject({ kind: z.literal('newest'), modifiedAtS: count }),
]);

const sentinel = z.strictObject({
  id: z.uuid(),
  awaited,
  armedAtMs: moment,
  untilMs: moment,
  base: base.nullable(),
  machine: z
    .strictObject({ bootId: words.nullable(), initStartTicks: count.nullable() })
    .nullable(),
  seen: seen.nullable(),
  unread: z.strictObject({ atMs: moment, because: words }).nullable(),
  restarted: span.extend({ how: z.enum(['reboot', 'container-restart']) }).nullable(),
  gap: span.nullable(),
}) satisfies z.ZodType<Sentinel>;

const overSentinel = z.strictObject({
  id: z.uuid(),
  awaited,
  armedAtMs: moment,
  untilMs: moment,
  end: z.enum(['happened', 'already', 'expired', 'moved']),
  atMs: moment,
  before: seen.nullable(),
  seen: seen.nullable(),
  line: words.nullable(),
  because: words,
  gap: span.nullable(),
}) satisfies z.ZodType<OverSentinel>;

/** What is kept of one box. */
export const sentinelBook = z.strictObject({
  version: z.literal(1).default(1),
  lookedAtMs: moment.nullable(),
  armed: z.array(sentinel).max(MAX_ARMED),
  over: z.array(overSentinel).max(MAX_OVER),
  /** The ids of what is to be told and was not yet, as far as is known: told again after a crash in between. */
  untold: z.array(z.uuid()).max(MAX_ARMED + MAX_OVER),
});
