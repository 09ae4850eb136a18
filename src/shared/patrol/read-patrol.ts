import { readCpuCounters } from '../probes/cpu-counters.ts';
import { readMachine } from '../probes/machine-lines.ts';
import { normalPciAddress } from '../probes/pci-address.ts';
import { readMarkedSections } from '../probes/marked-sections.ts';
import { excerpt, nonBlankLines, UnreadableLines } from '../probes/probe-output.ts';
import { readPairs, readTicks } from '../probes/word-lines.ts';
import { CHECKPOINT_FILE } from '../runs/checkpoints/checkpoint-name.ts';
import { readBeside } from './beside-look.ts';
import { readKernel } from './kernel-lines.ts';
import { readMemory, readPressure } from './memory-lines.ts';
import { readFills, readMounts } from './mount-lines.ts';
import type { Artefact, PatrolLook, ProcessRow, TmuxPane } from './patrol-look.ts';
import { readKeptEnds, readKnownLogs, readRuns } from './run-lines.ts';
import { readWaiters } from './waiter-lines.ts';

/** As many as resources/onbox/patrol.sh tells of each. */
const [MAX_PROCESSES, MAX_PANES, MAX_ARTEFACTS, MAX_GPU_PIDS] = [2000, 200, 60, 200];

/**
 * Reads the output of resources/onbox/patrol.sh. `knownLogs`: what it was asked for. `clock`: this machine's time when it
 * was asked and when it had answered. `ending`: how its answer ended, where that is known.
 */
export function readPatrol(
  stdout: string,
  mark: string,
  knownLogs: readonly string[],
  clock: { readonly askedAtMs: number; readonly answeredAtMs: number },
  ending: string | null = null,
): PatrolLook {
  const sections = readMarkedSections(stdout, mark);
  const unreadable = new UnreadableLines();
  const machineLines = readPairs(sections.text('machine') ?? '');
  const pageBytes = readPageBytes(sections.text('host') ?? '');
  const table = readLines(
    sections.text('table'),
    MAX_PROCESSES,
    (line) => readProcess(line, pageBytes),
    unreadable,
  );
  const panes = readLines(sections.text('tmux'), MAX_PANES, readPane, new UnreadableLines()); // "no server running" is no fault
  const artefacts = readLines(sections.text('artefacts'), MAX_ARTEFACTS, readArtefact, unreadable);
  const open = readOpenFiles(sections.text('open') ?? '');
  const machine = readMachine(machineLines, clock);
  const runs = readRuns(sections, {
    machineLines,
    machine,
    processes: table.rows,
    panes: panes.rows,
    open,
  });
  sections.outside.forEach((line) => {
    unreadable.add(line);
  });
  return {
    atMs: clock.answeredAtMs,
    machine,
    cpu: readCpuCounters(sections.text('cpu') ?? '', machineLines),
    cpuStalledPct: readCpuPressure(sections.text('cpu') ?? ''),
    memory: readMemory(`${sections.text('host') ?? ''}\n${sections.text('memory') ?? ''}`),
    processes: {
      ...{ rows: table.rows, isWhole: table.rows.length > 0 && !table.isCut },
      ...(sections.text('table')?.trim() === '' && { isEmpty: true as const }),
    },
    runs: runs.rows,
    knownLogs: readKnownLogs(sections, knownLogs),
    keptEnds: readKeptEnds(sections, knownLogs),
    artefacts: [...artefacts.rows].sort((a, b) => b.modifiedAtS - a.modifiedAtS),
    panes: panes.rows,
    mounts: readMounts(sections),
    mountsLeftOut: Number(sections.notes('left-out')[0] ?? 0),
    fills: readFills(sections.text('fills')),
    beside: readBeside(sections.text('beside')),
    kernel: readKernel(sections.text('kernel')),
    cardAddresses: (machineLines.get('card') ?? []).flatMap((each) => normalPciAddress(each) ?? []),
    waiters: readWaiters(sections.text('waiters') ?? '', machine, readTicks(machineLines)),
    isWhole: sections.text('whole') !== null,
    ending,
    isCut: table.isCut || artefacts.isCut || open.isCut || runs.isCut,
    unreadable: unreadable.lines,
  };
}

/** Of the box's own group: the first that is told. */
function readCpuPressure(text: string): number | null {
  return readPressure(readPairs(text).get('pressure-cpu')?.[0]);
}

export interface Lines<T> {
  readonly rows: readonly T[];
  /** The script left the rest out, or sent more than it tells. */
  readonly isCut: boolean;
}

function readLines<T>(
  text: string | null,
  most: number,
  read: (line: string) => T | null,
  unreadable: UnreadableLines,
): Lines<T> {
  const rows: T[] = [];
  let isCut = false;
  for (const line of nonBlankLines(text ?? '')) {
    if (line === 'cut' || rows.length === most) {
      isCut = true;
      continue;
    }
    const row = read(line);
    if (row === null) unreadable.add(line);
    else rows.push(row);
  }
  return { rows, isCut };
}

const PROCESS = new RegExp(
  `^${'(\\d{1,10}) '.repeat(4)}(-?\\d{1,10}) ([A-Za-z]) ${'(\\d{1,15}) '.repeat(4)}(-?\\d{1,15}) (.*)$`,
);

function readProcess(line: string, pageBytes: number | null): ProcessRow | null {
  const match = PROCESS.exec(line);
  if (match === null) return null;
  const [, pid, parent, , session, terminal, state, user, system, threads, start, pages, name] =
    match;
  return {
    pid: Number(pid),
    parentPid: Number(parent),
    sessionPid: Number(session),
    hasTerminal: terminal !== '0',
    state: state ?? '',
    cpuTicks: Number(user) + Number(system),
    threads: Number(threads),
    residentBytes: pageBytes === null ? null : Math.max(0, Number(pages)) * pageBytes,
    startTicks: Number(start),
    name: excerpt(name ?? '', 64),
  };
}

/** As the kernel tells it of a process: 4 KiB on most machines, and up to 64 on others. */
function readPageBytes(host: string): number | null {
  const kilobytes = /^host KernelPageSize:\s+(\d{1,4}) kB$/m.exec(host)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

const PANE = /^\$\d{1,9} (\d{1,12}) (\d{1,10}) ([01]) (\d{0,3}) (.+)$/;

function readPane(line: string): TmuxPane | null {
  const [, created, pid, dead, status, session] = PANE.exec(line) ?? [];
  if (session === undefined) return null;
  return {
    session: excerpt(session),
    createdAtS: Number(created),
    pid: Number(pid),
    isDead: dead === '1',
    exitCode: status === undefined || status === '' ? null : Number(status),
  };
}

const ARTEFACT = /^(\d{1,12}) (\d{1,18}) \d{1,20} (\/.*)$/;

/** Which names mean what; the script asks for exactly these. */
const KINDS: readonly (readonly [RegExp, Artefact['kind']])[] = [
  [CHECKPOINT_FILE, 'checkpoint'],
  [/\.tmp$/, 'partial'],
  [/\.tfevents\./, 'events'],
  [/^DONE|\.done$|_DONE$/, 'done'],
  [/^FAILED|\.failed$/, 'failed'],
  [/^(?:offline-)?run-/, 'tracker'],
];

function readArtefact(line: string): Artefact | null {
  const [, modified, bytes, path] = ARTEFACT.exec(line) ?? [];
  if (path === undefined) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1];
  if (kind === undefined) return null;
  return { path: excerpt(path, 1000), kind, modifiedAtS: Number(modified), bytes: Number(bytes) };
}

/** Which processes hold a GPU and which of them are runs. */
export interface OpenFiles {
  readonly gpuPids: ReadonlySet<number>;
  readonly isCut: boolean;
}

function readOpenFiles(text: string): OpenFiles {
  const { rows, isCut } = readLines(
    text,
    MAX_GPU_PIDS,
    (line) => /^gpu (\d{1,10})$/.exec(line),
    new UnreadableLines(),
  );
  return { gpuPids: new Set(rows.map(([, pid]) => Number(pid))), isCut };
}
