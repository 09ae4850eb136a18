import type { MarkedSections } from '../probes/marked-sections.ts';
import { ageOf, readPairs, readTicks, whole, type Pairs } from '../probes/word-lines.ts';
import { readRunEndLine, type RunEndLine } from '../runs/launch/run-end-line.ts';
import { isSameProcess } from '../runs/process-ref.ts';
import { readNames } from './beside-look.ts';
import type { PatrolLook, ProcessRow, LogInLook, RunInLook, TmuxPane } from './patrol-look.ts';
import type { Lines, OpenFiles } from './read-patrol.ts';

interface Around {
  readonly machineLines: Pairs;
  readonly machine: Pick<PatrolLook['machine'], 'bootId' | 'uptimeS'>;
  readonly processes: readonly ProcessRow[];
  readonly panes: readonly TmuxPane[];
  readonly open: OpenFiles;
}

/** The script tells no more, and rules compare runs with each other, with processes and with files. */
const MAX_RUNS = 12;
/** Its output and its errors. */
const MAX_LOGS = 2;

/** Reads the section `runs` of resources/onbox/patrol.sh, with the ends of their logs. */
export function readRuns(sections: MarkedSections, around: Around): Lines<RunInLook> {
  const blocks = (sections.text('runs') ?? '').split(/^(?=pid \d+$)/m, MAX_RUNS + 1);
  const rows = blocks
    .slice(0, MAX_RUNS)
    .flatMap((block) => readRun(readPairs(block), sections, around) ?? []);
  return { rows, isCut: blocks.length > MAX_RUNS };
}

function readRun(pairs: Pairs, sections: MarkedSections, around: Around): RunInLook | null {
  const pid = whole(pairs.get('pid')?.[0]);
  const startTicks = whole(pairs.get('start')?.[0]);
  if (pid === null || startTicks === null) return null; // gone while the box told of it
  const { machineLines, machine, processes, panes, open } = around;
  const row = processes.find((each) => isSameProcess(each, { pid, startTicks }));
  if (row !== undefined && CARD_TOOL.test(row.name)) return null;
  if (!open.gpuPids.has(pid) && SERVICE.test(pairs.get('command')?.[0] ?? '')) return null;
  return {
    bootId: machine.bootId,
    pid,
    startTicks,
    ageS: ageOf(startTicks, machine.uptimeS, readTicks(machineLines)),
    user: pairs.get('user')?.[0] ?? null,
    command: pairs.get('command')?.[0] ?? null,
    argumentCount: whole(pairs.get('arguments')?.[0]),
    program: pairs.get('program')?.[0] ?? null,
    folder: pairs.get('cwd')?.[0] ?? null,
    holdsGpu: open.gpuPids.has(pid),
    survivesHangup: survivesHangup(pairs.get('ignores')?.[0], row),
    isUnbuffered: unbuffered(pairs),
    proxy: /^[a-z\d][a-z\d.-]{0,252}$/.exec(pairs.get('proxy')?.[0] ?? '')?.[0] ?? null,
    tracker: oneOf(TRACKERS, pairs.get('tracker')?.[0]),
    keys: readNames(pairs.get('has') ?? []),
    cpuTicks: ticksOfTree(pid, processes),
    logs: (pairs.get('log') ?? [])
      .slice(0, MAX_LOGS)
      .flatMap((line) => readLog(line, pid, sections) ?? []),
    tmuxSession: tmuxSessionOf(pid, processes, panes),
  };
}

/** What watches and serves the cards holds them open, and is no run. Names as the kernel cuts them, at 15 characters. */
const CARD_TOOL =
  /^(?:nvidia-(?:smi|persiste|cuda-mps|powerd)|nv-(?:hostengine|fabricmanage)|nvtop|nvitop|gpustat|dcgmi|dcgm-exporter|rocm-smi|amd-smi)$/;

/** What serves pages, files or an editor keeps a log for as long as the box is up, and nobody waits for its end. */
const SERVICE = new RegExp(
  [
    '^(?:\\S*\\/)?(?:(?:python[\\d.]*|node|(?:ba|da|z)?sh) (?:-[a-ln-z]\\S* )*(?:-m )?(?:\\S*\\/)?)?(?:jupyter(?:hub|lab|[- ](?:lab|notebook|server))|notebook|tensorboard(?:\\.main)?|code-server|http\\.server|ttyd|filebrowser|supervisord|frpc|rclone mount)(?: |$)',
    '^(?:(?:ba|da)?sh )?\\S*\\/\\.(?:vscode|cursor|windsurf|trae)[\\w-]*\\/(?!extensions\\/)',
  ].join('|'),
);

const TRACKERS = ['online', 'offline', 'disabled', 'unset', 'none'] as const;

function oneOf<T extends string>(words: readonly T[], told: string | undefined): T | null {
  return words.find((word) => word === told) ?? null;
}

function ticksOfTree(pid: number, processes: readonly ProcessRow[]): number | null {
  const below = new Set([pid]);
  const children = new Map<number, number[]>();
  for (const row of processes) {
    const beside = children.get(row.parentPid);
    if (beside === undefined) children.set(row.parentPid, [row.pid]);
    else beside.push(row.pid);
  }
  // A set goes on to what is added while it is walked.
  for (const each of below) for (const child of children.get(each) ?? []) below.add(child);
  const rows = processes.filter((row) => below.has(row.pid));
  return rows.length === 0 ? null : rows.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
}

/** SIGHUP is signal 1, so the lowest bit of the mask. */
function survivesHangup(ignored: string | undefined, row: ProcessRow | undefined): boolean | null {
  const lastDigit = /^[0-9a-f]{1,16}$/i.exec(ignored ?? '')?.[0].slice(-1);
  if (lastDigit === undefined) return null;
  if ((parseInt(lastDigit, 16) & 1) === 1) return true;
  return row === undefined ? null : !row.hasTerminal;
}

/** `python -u` does the same as the variable. */
function unbuffered(pairs: Pairs): boolean | null {
  if (/(?:^|\/)python[\d.]* -[a-tv-zA-Z\d_]*u\w* /.test(pairs.get('command')?.[0] ?? ''))
    return true;
  const told = whole(pairs.get('unbuffered')?.[0]);
  return told === null ? null : told > 0;
}

/** Logs that were asked for by their paths, in that order. */
export function readKnownLogs(
  sections: MarkedSections,
  paths: readonly string[],
): ReadonlyMap<string, LogInLook> {
  return new Map(
    paths.flatMap((path, index) => {
      const line = readPairs(sections.text(`known-${String(index)}`) ?? '').get('log')?.[0] ?? '';
      const log = readLogLine(line, sections.text(`known-end-${String(index)}`), null);
      return log === null ? [] : [[path, log] as const];
    }),
  );
}

/** The ends that the folders of launched runs keep, by the paths of their logs. */
export function readKeptEnds(
  sections: MarkedSections,
  paths: readonly string[],
): ReadonlyMap<string, RunEndLine> {
  return new Map(
    paths.flatMap((path, index) => {
      const line = readPairs(sections.text(`known-${String(index)}`) ?? '').get('end')?.[0] ?? '';
      const end = readRunEndLine(line);
      return end === null ? [] : [[path, end] as const];
    }),
  );
}

const LOG = /^(?:([12]) )?(\d{1,12}) (\d{1,18}) (\d{1,20}) (\d{1,9}) (.+)$/;
const DELETED = ' (deleted)';
/** As many bytes as resources/onbox/patrol.sh asks for: what a box sends beyond that is not read by every rule. */
const [MAX_END_CHARS, MAX_START_CHARS] = [6144, 1000];

function readLog(line: string, pid: number, sections: MarkedSections): LogInLook | null {
  const stream = `${String(pid)}-${line.charAt(0)}`;
  return readLogLine(line, sections.text(`log-${stream}`), sections.text(`start-${stream}`));
}

function readLogLine(line: string, end: string | null, start: string | null): LogInLook | null {
  const [, stream, modified, bytes, inode, links, path] = LOG.exec(line) ?? [];
  if (path === undefined) return null;
  const isDeleted = links === '0';
  return {
    stream: stream === undefined ? null : stream === '1' ? 'output' : 'errors',
    path: isDeleted && path.endsWith(DELETED) ? path.slice(0, -DELETED.length) : path,
    isDeleted,
    modifiedAtS: Number(modified),
    bytes: Number(bytes),
    inode: Number(inode),
    // A file that holds something has an end: without one the question for it was given up.
    end: end === '' && bytes !== '0' ? null : (end?.slice(-MAX_END_CHARS) ?? null),
    start: start?.slice(0, MAX_START_CHARS) ?? null,
  };
}

/** A table that was made up may lead in circles. */
const MAX_GENERATIONS = 64;

function tmuxSessionOf(
  pid: number,
  processes: readonly ProcessRow[],
  panes: readonly TmuxPane[],
): string | null {
  const parents = new Map(processes.map((row) => [row.pid, row.parentPid]));
  const sessions = new Map(panes.map((pane) => [pane.pid, pane.session]));
  let at: number | undefined = pid;
  for (let step = 0; step < MAX_GENERATIONS && at !== undefined && at > 1; step += 1) {
    const session = sessions.get(at);
    if (session !== undefined) return session;
    at = parents.get(at);
  }
  return null;
}
