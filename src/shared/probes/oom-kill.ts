import { parseKernelLineTime, type KernelLineTime } from './kernel-line.ts';
import { excerpt, nonBlankLines, type ProbeOutput } from './probe-output.ts';

/** The kernel ended a process for want of memory. */
export interface OomKill extends KernelLineTime {
  /** `container`: at the group's own limit. `machine`: the whole host ran out. */
  readonly scope: 'container' | 'machine' | 'unknown';
  readonly pid: number;
  readonly processName: string;
  readonly line: string;
}

// "oom-kill:constraint=CONSTRAINT_MEMCG,…,task=node,pid=863987,uid=0": the summary line of newer kernels.
const CONSTRAINT = /oom-kill:constraint=(\w{1,40}),/;
const TASK = /,task=(.{1,64}?),pid=(\d{1,10}),uid=\d+/;
// "Memory cgroup out of memory: Killed process 12 (name) total-vm:…" and the same without "Memory cgroup".
const KILLED =
  /(Memory cgroup out of memory|Out of memory): Kill(?:ed)? process (\d{1,10}) \((.{0,64}?)\)/i;
// Kernels up to 4.19 name the one that was chosen ("Kill process 12 (name) score 913 or sacrifice child"), and then the one
// that died, which may be a child of it.
const CHOSEN = /: Kill process \d{1,10} \(/i;
const DIED = /(?:^|[\s\]:])Killed process (\d{1,10}) \((.{0,64}?)\)(?:,? (?:UID \d+|total-vm:))/;
/** So many lines of other processors and of the list of tasks may come between the two. */
const CHOSEN_LINES = 20;
const SPEAKS_OF_KILL = /\boom-kill:|\bout of memory: Kill/i;

const SCOPES = new Map<string, OomKill['scope']>(
  Object.entries({
    CONSTRAINT_MEMCG: 'container',
    CONSTRAINT_NONE: 'machine',
  } as const),
);

/** Other kernel lines are none of its business; a line that speaks of a kill and is not understood is unreadable. */
export function parseOomKills(text: string): ProbeOutput<OomKill> {
  const rows: OomKill[] = [];
  const unreadable: string[] = [];
  /** How many lines ago a process was chosen whose end has not been told. */
  let sinceChosen = Infinity;
  for (const line of nonBlankLines(text)) {
    sinceChosen += 1;
    const row = parseSummary(line) ?? parseKilled(line);
    const died = row === null ? DIED.exec(line) : null;
    if (died !== null) {
      const chosen = sinceChosen <= CHOSEN_LINES ? rows.pop() : undefined;
      const [, pid, name = ''] = died;
      // A line that only repeats the kill of the line before is none of its own.
      const kill = toKill(line, died.index, chosen?.scope ?? 'unknown', pid, name);
      if (chosen !== undefined || kill.pid !== rows.at(-1)?.pid) rows.push(kill);
      sinceChosen = Infinity;
    } else if (row === null) {
      if (SPEAKS_OF_KILL.test(line)) unreadable.push(excerpt(line));
    } else {
      if (row.pid !== rows.at(-1)?.pid) rows.push(row); // both lines tell of one kill
      if (CHOSEN.test(line)) sinceChosen = 0;
    }
  }
  return { rows, unreadable };
}

function parseSummary(line: string): OomKill | null {
  const match = CONSTRAINT.exec(line);
  const [, task, pid] = TASK.exec(line) ?? [];
  if (match === null || task === undefined) return null;
  return toKill(line, match.index, SCOPES.get(match[1] ?? '') ?? 'unknown', pid, task);
}

function parseKilled(line: string): OomKill | null {
  const match = KILLED.exec(line);
  const [, words, pid, name] = match ?? [];
  if (match === null || words === undefined || name === undefined) return null;
  return toKill(line, match.index, /cgroup/i.test(words) ? 'container' : 'machine', pid, name);
}

function toKill(
  line: string,
  messageAt: number,
  scope: OomKill['scope'],
  pid: string | undefined,
  processName: string,
): OomKill {
  return {
    scope,
    pid: Number(pid),
    processName: excerpt(processName),
    ...parseKernelLineTime(line.slice(0, messageAt)),
    line: excerpt(line, 1000),
  };
}
