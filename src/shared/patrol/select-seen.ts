import { excerpt } from '../probes/probe-output.ts';
import { processKey } from '../runs/process-ref.ts';
import { checkpointOf, writersOf, type Writer } from './checkpoint-of.ts';
import { lastLinesOf } from './last-lines.ts';
import { ownTime } from './line-source.ts';
import { endedInTheMiddle, type PatrolLook, type RunInLook } from './patrol-look.ts';
import type { PatrolMemory } from './patrol-memory.ts';
import type { PatrolSeen, SeenLog, SeenRun, Unread } from './patrol-state.ts';

const MAX_COMMAND_CHARS = 500;
const MAX_LINES = 4;

/** What a person is shown of a look; `alive`: runs that were known before and that the box had too many of to tell again. */
export function selectSeen(
  look: PatrolLook,
  alive: readonly RunInLook[],
  took: PatrolSeen['took'],
): PatrolSeen {
  const told = new Set(look.runs.map(processKey));
  const runs = [...look.runs, ...alive.filter((run) => !told.has(processKey(run)))];
  const writers = writersOf(runs, look.atMs);
  return {
    atMs: look.atMs,
    took,
    uptimeS: look.machine.uptimeS,
    isWhole: look.isWhole && look.processes.isWhole,
    ...(look.isWhole && look.processes.isEmpty === true && { tellsNone: true as const }),
    runs: runs.map((run) => seenRun(run, writers, look)),
    memoryShare: memoryShareOf(look),
    unread: unreadOf(look),
  };
}

/** The same of what an earlier session or the command line has seen. */
export function recallSeen({ atMs, machine, runs }: PatrolMemory): PatrolSeen {
  return {
    atMs,
    took: null,
    uptimeS: null,
    isWhole: true,
    runs: runs.map((run) => seenRun(run, [], { atMs, machine, artefacts: [] })),
    memoryShare: null,
    unread: [],
  };
}

export function memoryShareOf({ memory }: PatrolLook): number | null {
  const { limitBytes, usedBytes } = memory ?? { limitBytes: null, usedBytes: null };
  return typeof limitBytes === 'number' && limitBytes > 0 && usedBytes !== null
    ? usedBytes / limitBytes
    : null;
}

type Around = Pick<PatrolLook, 'atMs' | 'machine' | 'artefacts'>;

function seenRun(run: RunInLook, writers: readonly Writer[], around: Around): SeenRun {
  const { bootId, pid, startTicks, command, folder, user, ageS, holdsGpu } = run;
  return {
    bootId,
    pid,
    startTicks,
    command: command === null ? null : excerpt(command, MAX_COMMAND_CHARS),
    folder,
    user,
    sinceMs: ageS === null ? null : around.atMs - ageS * 1000,
    holdsGpu,
    survivesHangup: run.survivesHangup,
    tmuxSession: run.tmuxSession,
    isUnbuffered: run.isUnbuffered,
    log: newestLog(run, around),
    checkpoint: checkpointOf(run, writers, around),
  };
}

function newestLog({ logs }: RunInLook, around: Around): SeenLog | null {
  const [log] = [...logs].sort((a, b) => b.modifiedAtS - a.modifiedAtS);
  if (log === undefined) return null;
  const { path, isDeleted, modifiedAtS, bytes, end } = log;
  const lastLines = end === null ? null : lastLinesOf(end, MAX_LINES);
  return { path, isDeleted, writtenAtMs: ownTime(modifiedAtS, around), bytes, lastLines };
}

function unreadOf(look: PatrolLook): readonly Unread[] {
  const { isWhole, isCut, processes, memory, runs, unreadable } = look;
  const unread: Unread[] = [];
  const add = (what: string, because: string): void => void unread.push({ what, because });
  if (!isWhole) add('The end of the answer', `it ${endedInTheMiddle(look)}`);
  if (!processes.isWhole) {
    const because = processes.rows.length === 0 ? 'the box told none' : 'the box told only a part';
    add('All processes', because);
  }
  if (isCut) add('Further runs and files', 'there are more than one check reads');
  if (memory === null || memoryShareOf(look) === null) {
    add('How full the memory is', 'the box does not tell its limit and its use');
  }
  const silent = runs.filter(({ logs }) => logs.some(({ end }) => end === null));
  for (const { pid } of silent) {
    add(`The log of process ${String(pid)}`, 'its end could not be read in time');
  }
  if (unreadable.length > 0) {
    add('Some lines of the answer', `they are not as expected, such as “${unreadable[0] ?? ''}”`);
  }
  return unread;
}
