import { z } from 'zod';
import type { PatrolLook, RunLook } from './patrol-look.ts';

const MAX_RUNS = 100;
const MAX_ARTEFACTS = 60;

const text = z.string().max(4000);
const count = z.number().min(0);

const runLog = z.strictObject({
  stream: z.enum(['output', 'errors']).nullable(),
  path: text,
  isDeleted: z.boolean(),
  modifiedAtS: count,
  bytes: count,
  inode: count,
  /** Told by the next look anew; what a log said is not kept here. */
  end: z.null(),
});

const run = z.strictObject({
  pid: count,
  startTicks: count,
  ageS: count.nullable(),
  user: text.nullable(),
  command: text.nullable(),
  // Not in files that an older Leasehold wrote.
  argumentCount: count.nullable().default(null),
  program: text.nullable().default(null),
  folder: text.nullable(),
  holdsGpu: z.boolean(),
  survivesHangup: z.boolean().nullable(),
  isUnbuffered: z.boolean().nullable(),
  logs: z.array(runLog),
  tmuxSession: text.nullable(),
});

const artefact = z.strictObject({
  path: text,
  kind: z.enum(['checkpoint', 'events', 'done', 'failed']),
  modifiedAtS: count,
  bytes: count,
});

/** What one patrol leaves for the next: the runs to ask after, and what proves why one of them is gone. */
export const patrolMemory = z.strictObject({
  atMs: count,
  machine: z.strictObject({
    bootId: text.nullable(),
    uptimeS: count.nullable(),
    initStartTicks: count.nullable(),
    clockOffsetMs: z.number().nullable(),
    isContainer: z.boolean().nullable(),
  }),
  oomKills: count.nullable(),
  hostOomKills: count.nullable(),
  runs: z.array(run).max(MAX_RUNS),
  /** The newest first; null: an older Leasehold wrote the file and did not keep them. */
  artefacts: z.array(artefact).max(MAX_ARTEFACTS).nullable().default(null),
});
export type PatrolMemory = z.infer<typeof patrolMemory>;

/**
 * `alive`: runs of the look before that are still there, which the box may have too many of to tell them again. An answer that
 * is not whole proves nothing, so nothing of what was known before gives way to it.
 */
export function rememberLook(
  look: PatrolLook,
  before: PatrolMemory | null,
  alive: readonly RunLook[],
): PatrolMemory {
  if (before !== null && (!look.isWhole || !look.processes.isWhole)) return before;
  const { atMs, machine, memory } = look;
  const told = new Set(look.runs.map(keyOf));
  const runs = [...look.runs, ...alive.filter((each) => !told.has(keyOf(each)))];
  return {
    atMs,
    machine,
    oomKills: memory?.oomKills ?? null,
    hostOomKills: memory?.hostOomKills ?? null,
    runs: runs
      .slice(0, MAX_RUNS)
      .map((each) => ({ ...each, logs: each.logs.map((log) => ({ ...log, end: null })) })),
    artefacts: look.artefacts.slice(0, MAX_ARTEFACTS).map((each) => ({ ...each })),
  };
}

const keyOf = ({ pid, startTicks }: RunLook): string => `${String(pid)}/${String(startTicks)}`;
