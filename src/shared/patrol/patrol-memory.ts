import { z } from 'zod';
import { keyOfSubject, type LookJudgement } from './look-detector.ts';
import type { PatrolLook, RunLook } from './patrol-look.ts';

const MAX_RUNS = 100;
const MAX_FOUND = 200;

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
  start: z.null().default(null),
});

const run = z.strictObject({
  pid: count,
  startTicks: count,
  ageS: count.nullable(),
  user: text.nullable(),
  command: text.nullable(),
  folder: text.nullable(),
  holdsGpu: z.boolean(),
  survivesHangup: z.boolean().nullable(),
  isUnbuffered: z.boolean().nullable(),
  proxy: z.enum(['gpushare', 'none']).nullable().default(null),
  tracker: z.enum(['online', 'offline', 'disabled', 'unset', 'none']).nullable().default(null),
  cpuTicks: count.nullable().default(null),
  logs: z.array(runLog),
  tmuxSession: text.nullable(),
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
  usedBytes: count.nullable().default(null),
  /** The kernel's log was read up to here. */
  kernelToS: count.nullable().default(null),
  /** What the rules had found, so that a number at a line does not make them flap. */
  found: z
    .array(z.strictObject({ key: text, sinceMs: count }))
    .max(MAX_FOUND)
    .default([]),
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
  judged: readonly LookJudgement[],
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
    usedBytes: memory?.usedBytes ?? null,
    // A log that is closed for once was still read up to there.
    kernelToS: look.kernel.toS ?? sameBoot(look, before)?.kernelToS ?? null,
    found: judged
      .flatMap((each) =>
        each.answer.kind === 'found' && !each.isEvent && each.sinceMs !== null
          ? [{ key: keyOfSubject(each.detector, each.subject), sinceMs: each.sinceMs }]
          : [],
      )
      .slice(0, MAX_FOUND),
    runs: runs.slice(0, MAX_RUNS).map((each) => ({
      ...each,
      logs: each.logs.map((log) => ({ ...log, end: null, start: null })),
    })),
  };
}

/** Stamps of the kernel's log begin anew with each boot. */
export function sameBoot(look: PatrolLook, before: PatrolMemory | null): PatrolMemory | null {
  const isSame = before !== null && before.machine.bootId === look.machine.bootId;
  return isSame ? before : null;
}

const keyOf = ({ pid, startTicks }: RunLook): string => `${String(pid)}/${String(startTicks)}`;
