import { z } from 'zod';
import { foundSchema, lookSubjectSchema } from '../alerts/alert-schema.ts';
import { doCpusWork } from './cpus-used.ts';
import { excerpt } from '../probes/probe-output.ts';
import {
  isSameProcess,
  parseProcessKey,
  processKey,
  type ProcessInLook,
} from '../runs/process-ref.ts';
import { processRef } from '../runs/process-ref-schema.ts';
import { redactText } from '../secrets/redact-text.ts';
import { failureIds } from '../triage/failures.ts';
import { vanishCauses, vanishVerdicts, type MissingRun } from './judge-vanished.ts';
import { keyOfSubject, recallSubject, type LookJudgement } from './look-detector.ts';
import { ownTime } from './line-source.ts';
import type { LogInLook, PatrolLook, RunInLook } from './patrol-look.ts';
import { checkpointOf, writersOf, type Writer } from './checkpoint-of.ts';
import { rememberDisks } from './growth.ts';
import { lastLinesOf } from './last-lines.ts';
import { MAX_GONE, type GoneRun, type JudgedLook } from './patrol-state.ts';
import { lookRuleIds } from './select-judged.ts';
import { rulesAlike } from './told-once.ts';

const MAX_RUNS = 100;
const MAX_ARTEFACTS = 60;
/** Of runs that are gone the newest keep their ladder and their last lines. */
const MAX_LADDERS = 20;
const MAX_FOUND = 200;
const MAX_DISK_LOOKS = 300;
const MAX_UNTOLD = 20;
const MAX_WORD_CHARS = 500;
/** A traceback ends with what went wrong, and the calls above it say where. */
const MAX_LAST_LINES = 8;

const text = z.string().max(4000);
const count = z.number().min(0);

/** Where it cannot be read, nothing may be ruled out by it. */
const holdsGpu = z.boolean().default(true);

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

const run = processRef.extend({
  ageS: count.nullable(),
  user: text.nullable(),
  command: text.nullable(),
  // Not in files that an older Leasehold wrote.
  argumentCount: count.nullable().default(null),
  program: text.nullable().default(null),
  folder: text.nullable(),
  holdsGpu,
  survivesHangup: z.boolean().nullable(),
  isUnbuffered: z.boolean().nullable(),
  proxy: text.nullable().default(null),
  tracker: z.enum(['online', 'offline', 'disabled', 'unset', 'none']).nullable().default(null),
  keys: z.array(text).max(9).default([]),
  cpuTicks: count.nullable().default(null),
  logs: z.array(runLog).default([]),
  tmuxSession: text.nullable(),
});

const artefact = z.strictObject({
  path: text,
  kind: z.enum(['checkpoint', 'partial', 'events', 'tracker', 'done', 'failed']),
  modifiedAtS: count,
  bytes: count,
});

const step = z.strictObject({
  cause: z.enum(vanishCauses),
  verdict: z.enum(vanishVerdicts),
  because: text,
});

const diskLook = z.strictObject({
  atMs: count,
  path: text,
  device: text,
  usedKiB: count.nullable(),
  freeKiB: count.nullable(),
  inodesUsed: count.nullable(),
  inodesFree: count.nullable(),
});

const goneFields = processRef.extend({
  key: text,
  command: text.nullable(),
  folder: text.nullable(),
  user: text.nullable(),
  holdsGpu,
  sinceMs: z.number().nullable(),
  lastSeenMs: count,
  missedMs: count,
  cause: z.enum(vanishCauses).nullable(),
  steps: z.array(step).max(vanishCauses.length).default([]),
  // Not in files that an older Leasehold wrote.
  failure: z.enum(failureIds).nullable().default(null),
  alike: z.array(z.enum(lookRuleIds)).max(9).default([]),
  tmuxSession: text.nullable().default(null),
  workedUntilMs: count.nullable().default(null),
  log: z.strictObject({ path: text, writtenAtMs: z.number() }).nullable().default(null),
  lastLines: z.array(text).max(MAX_LAST_LINES).default([]),
  checkpoint: z.strictObject({ path: text, writtenAtMs: z.number() }).nullable().default(null),
  twins: z.array(text).max(MAX_RUNS).default([]),
});

/** An older Leasehold kept when it began in its key alone. */
const goneRun = z.preprocess((kept) => {
  if (typeof kept !== 'object' || kept === null || 'startTicks' in kept) return kept;
  const key = 'key' in kept && typeof kept.key === 'string' ? kept.key : '';
  return { ...kept, startTicks: processOf(key)?.startTicks };
}, goneFields) satisfies z.ZodType<GoneRun>;

/** An older Leasehold called the clues of what it found evidence, and kept its words: the entry has others for it. */
function asToldNow(found: unknown): unknown {
  if (typeof found !== 'object' || found === null || !('headline' in found)) return found;
  const { headline: _said, ...rest } = found;
  const { means: _means, fix: _fix, evidence, ...kept } = rest as Record<string, unknown>;
  const says = { variant: 'kept', values: {} };
  return { says, ...(evidence === undefined ? {} : { clues: evidence }), ...kept };
}

const untold = z.strictObject({
  detector: z.enum(lookRuleIds),
  subject: lookSubjectSchema,
  sinceMs: count,
  found: z.preprocess(asToldNow, foundSchema),
  seenAtMs: count,
});

/** What one patrol leaves for the next: the runs to ask after, and what proves why one of them is gone. */
export const patrolMemory = z.strictObject({
  atMs: count,
  machine: z
    .strictObject({
      bootId: text.nullable(),
      uptimeS: count.nullable(),
      initStartTicks: count.nullable(),
      clockOffsetMs: z.number().nullable(),
      isContainer: z.boolean().nullable(),
    })
    .default({
      bootId: null,
      uptimeS: null,
      initStartTicks: null,
      clockOffsetMs: null,
      isContainer: null,
    }),
  oomKills: count.nullable(),
  hostOomKills: count.nullable(),
  runs: z.array(run).max(MAX_RUNS),
  /** The newest first; null: an older Leasehold wrote the file and did not keep them. */
  artefacts: z.array(artefact).max(MAX_ARTEFACTS).nullable().default(null),
  /** Missed by a patrol, whoever made it: a look is told once, and may be told to nobody. */
  gone: z.array(goneRun).max(MAX_GONE).default([]),
  usedBytes: count.nullable().default(null),
  /** The last look that saw a run, or a card or CPUs that work; null: an older Leasehold did not keep it. */
  workedAtMs: count.nullable().default(null),
  /** Whether the cards worked at this look; null: nobody read them, or an older Leasehold did not keep it. */
  isGpuWorking: z.boolean().nullable().default(null),
  /** Cards that the box had when it last told some; null: an older Leasehold did not keep it. */
  cards: count.nullable().default(null),
  /** Folders of torch that the runs of the last looks could import; null: nobody looked. */
  torch: z.array(text).max(12).nullable().default(null),
  /** How full the disks were at the last looks, the newest last. */
  disks: z.array(diskLook).max(MAX_DISK_LOOKS).default([]),
  /** CPU time that the box had used by then. */
  cpuUsedS: count.nullable().default(null),
  /** The kernel's log was read up to here. */
  kernelToS: count.nullable().default(null),
  /** What the rules had found, so that a number at a line does not make them flap. */
  found: z
    .array(z.strictObject({ key: text, sinceMs: count }))
    .max(MAX_FOUND)
    .default([]),
  /** What happened between two looks and was told to no alert: the command line looked while no window was open. */
  untold: z.array(untold).max(MAX_UNTOLD).default([]),
});
export type PatrolMemory = z.infer<typeof patrolMemory>;

/** A look, and what it says of the runs that were known before it. */
export interface Judged {
  readonly look: PatrolLook;
  readonly before: PatrolMemory | null;
  /** Runs of before that are still there, which the box may have too many of to tell them again. */
  readonly alive: readonly RunInLook[];
  /** Runs of before that are not. */
  readonly missing: readonly MissingRun[];
  /** What each rule says of the look: found, clear, or why nobody can tell. */
  readonly judged: readonly LookJudgement[];
  /** Whether the cards worked; null or not there: nobody knows. */
  readonly isGpuWorking?: boolean | null;
  /** The last work before all cards fell idle, where somebody reads them; null or not there: nobody knows. */
  readonly fellIdleAtMs?: number | null;
}

/**
 * `current`: what is remembered now, which another patrol of the same box may have written since `before` was read. What it
 * has seen stays. An answer that is not whole proves nothing, so nothing of what was known gives way to it.
 */
export function rememberLook(told: Judged, current: PatrolMemory | null): PatrolMemory {
  const { look, before, alive, judged, isGpuWorking } = told;
  if (current !== null && (!look.isWhole || !look.processes.isWhole)) return current;
  const { atMs, machine, memory } = look;
  const didWork =
    look.runs.length > 0 || alive.length > 0 || isGpuWorking === true || doCpusWork(look, before);
  const isLate = current !== null && current.atMs > atMs;
  const asked = new Set((before?.runs ?? []).map(processKey));
  const others = (current?.runs ?? []).filter((each) => isLate || !asked.has(processKey(each)));
  const gone = mergeGone(current?.gone ?? [], goneOf(told));
  const ended = new Set(isLate ? gone.map(processKey) : []);
  const runs = new Map(
    [...others, ...alive, ...look.runs]
      .filter((each) => !ended.has(processKey(each)))
      .map((each) => [processKey(each), each]),
  );
  const moment = isLate
    ? current
    : {
        atMs,
        machine,
        oomKills: memory?.oomKills ?? null,
        hostOomKills: memory?.hostOomKills ?? null,
        artefacts: look.artefacts.slice(0, MAX_ARTEFACTS).map((each) => ({ ...each })),
        usedBytes: memory?.usedBytes ?? null,
        isGpuWorking: isGpuWorking ?? null,
        workedAtMs: didWork ? atMs : (current?.workedAtMs ?? atMs),
        cards: look.cardAddresses.length > 0 ? look.cardAddresses.length : (current?.cards ?? 0),
        torch: torchOf(look) ?? current?.torch ?? null,
        disks: rememberDisks(look, current?.disks ?? []).map((each) => ({ ...each })),
        cpuUsedS: look.cpu?.usedS ?? null,
        // A log that is closed for once was still read up to there.
        kernelToS: look.kernel.toS ?? sameBoot(look, current)?.kernelToS ?? null,
        found: foundOf(judged, before),
      };
  return {
    ...moment,
    // The newest look's own come last, and so stay where there are too many.
    runs: [...runs.values()].slice(-MAX_RUNS).map((each) => ({
      ...each,
      keys: [...each.keys],
      // SECURITY: what stands in a command is kept on this machine's disk.
      command: each.command === null ? null : redactText(each.command),
      logs: each.logs.map((log) => ({ ...log, end: null, start: null })),
    })),
    gone,
    untold: current?.untold ?? [],
  };
}

/** A copy of what was told, which the memory may keep. */
const torchOf = ({ beside }: PatrolLook): string[] | null =>
  beside.torch === null ? null : [...beside.torch];

/** Keeps what happened for the next patrol that can tell of it. A look that could not be kept finds the same again. */
export function keepUntold(
  memory: PatrolMemory,
  judged: JudgedLook,
  current: PatrolMemory | null,
): PatrolMemory {
  if (memory === current) return memory;
  const happened = judged.found
    .filter(({ found }) => found.isEvent === true)
    .map((each) => ({ ...each, seenAtMs: memory.atMs }));
  return { ...memory, untold: [...memory.untold, ...happened].slice(-MAX_UNTOLD) };
}

export function dropUntold(memory: PatrolMemory): PatrolMemory {
  return memory.untold.length === 0 ? memory : { ...memory, untold: [] };
}

/**
 * What happened between two looks is told once, and has no line at which it could flap. What could not be looked at now was
 * not seen to be over.
 */
function foundOf(
  judged: readonly LookJudgement[],
  before: PatrolMemory | null,
): PatrolMemory['found'] {
  const known = new Map((before?.found ?? []).map(({ key, sinceMs }) => [key, sinceMs]));
  return judged
    .flatMap(({ detector, subject, answer, isEvent, sinceMs }) => {
      const key = keyOfSubject(detector, subject);
      if (answer.kind === 'unknown') {
        const keptMs = recallSubject(known, detector, subject);
        return keptMs === undefined ? [] : [{ key, sinceMs: keptMs }];
      }
      const isKept = answer.kind === 'found' && isEvent !== true && sinceMs !== null;
      return isKept ? [{ key, sinceMs }] : [];
    })
    .slice(0, MAX_FOUND);
}

/** Stamps of the kernel's log begin anew with each boot. */
export function sameBoot(look: PatrolLook, before: PatrolMemory | null): PatrolMemory | null {
  return before !== null && before.machine.bootId === look.machine.bootId ? before : null;
}

/** The person is done with a run that is gone. */
export function dismissGone(current: PatrolMemory, key: string): PatrolMemory {
  return { ...current, gone: current.gone.filter((each) => each.key !== key) };
}

function mergeGone(known: PatrolMemory['gone'], more: PatrolMemory['gone']): PatrolMemory['gone'] {
  const keys = new Set(known.map(({ key }) => key));
  return [...more.filter(({ key }) => !keys.has(key)), ...known]
    .sort((a, b) => b.missedMs - a.missedMs)
    .slice(0, MAX_GONE)
    .map((each, place) => (place < MAX_LADDERS ? each : { ...each, steps: [], lastLines: [] }));
}

function goneOf({ look, before, missing, judged, fellIdleAtMs }: Judged): PatrolMemory['gone'] {
  if (before === null) return [];
  const { atMs } = look;
  const writers = writersSince(before, look);
  return missing.flatMap(({ run, judgement }) => {
    if (judgement.kind !== 'gone') return [];
    const { ageS } = run;
    const { cause, steps, failure } = judgement;
    const log = lastLogOf(run, look);
    return {
      key: goneKeyOf(run, before.atMs),
      bootId: run.bootId,
      pid: run.pid,
      startTicks: run.startTicks,
      command: short(run.command),
      folder: short(run.folder),
      user: short(run.user),
      holdsGpu: run.holdsGpu,
      sinceMs: ageS === null ? null : before.atMs - ageS * 1000,
      lastSeenMs: before.atMs,
      missedMs: atMs,
      tmuxSession: short(run.tmuxSession),
      workedUntilMs: workedUntil(run, before, atMs, fellIdleAtMs ?? null),
      // SECURITY: what a log said is kept on this machine's disk. A secret may span lines, and part of one has not its shape.
      lastLines: [...lastLinesOf(redactText(log?.end ?? ''), MAX_LAST_LINES)],
      log: log === null ? null : { path: log.path, writtenAtMs: ownTime(log.modifiedAtS, look) },
      checkpoint: checkpointOf(run, writers, look),
      cause,
      failure,
      alike: rulesAlike({ run, judgement }, judged).slice(0, 9),
      twins: twinsOf(run, before.runs).map(processKey),
      // SECURITY: a step quotes what the log ended with.
      steps: steps.map((each) => ({
        ...each,
        because: excerpt(redactText(each.because), MAX_WORD_CHARS),
      })),
    };
  });
}

/**
 * Of several that held a card nobody knows whose work it was that ended; nor of one that held a card which did not work: a notebook may
 * keep memory for days, and what worked since the look before may have begun and ended beside it.
 */
function workedUntil(
  run: RunInLook,
  { atMs, runs, isGpuWorking }: PatrolMemory,
  missedMs: number,
  fellIdleAtMs: number | null,
): number | null {
  const isOnly = run.holdsGpu && runs.filter(({ holdsGpu: holds }) => holds).length === 1;
  const isBetween = fellIdleAtMs !== null && fellIdleAtMs > atMs && fellIdleAtMs <= missedMs;
  return isOnly && isBetween && isGpuWorking === true ? fellIdleAtMs : null;
}

/** Those that are gone by now, and those that have begun since: each one's age was told by its own look. */
function writersSince(before: PatrolMemory, look: PatrolLook): readonly Writer[] {
  const gone = before.runs.filter((run) => !look.runs.some((each) => isSameProcess(each, run)));
  return [
    ...writersOf(look.runs, look.atMs),
    ...writersOf(
      gone.map((run) => ({ ...run, logs: ownLogsOf(run, look) })),
      before.atMs,
    ),
  ];
}

/** What the look tells of its logs. Another file under the old name is another run's. */
function ownLogsOf(
  { logs }: Pick<RunInLook, 'logs'>,
  { knownLogs }: PatrolLook,
): readonly LogInLook[] {
  return logs.flatMap(({ path, inode }) => {
    const known = knownLogs.get(path);
    return known?.inode === inode && known.end !== null ? [known] : [];
  });
}

/** The one that it wrote to last. */
function lastLogOf(run: RunInLook, look: PatrolLook): LogInLook | null {
  const [newest] = [...ownLogsOf(run, look)].sort((a, b) => b.modifiedAtS - a.modifiedAtS);
  return newest ?? null;
}

/** The same command in the same folder, beside it. */
const twinsOf = (run: RunInLook, runs: PatrolMemory['runs']): PatrolMemory['runs'] =>
  runs.filter(
    (each) =>
      !isSameProcess(each, run) && each.command === run.command && each.folder === run.folder,
  );

const short = (words: string | null): string | null =>
  words === null ? null : excerpt(words, MAX_WORD_CHARS);

/** Another life of the machine may give the same numbers again, so the time belongs to it. */
const goneKeyOf = (run: ProcessInLook, lastSeenMs: number): string =>
  `${processKey(run)} ${String(lastSeenMs)}`;
const processOf = (goneKey: string): ProcessInLook | null =>
  parseProcessKey(goneKey.split(' ')[0] ?? '');
