import { whole } from '../../probes/word-lines.ts';
import type { ProcessInLook, ProcessRef } from '../process-ref.ts';
import type { GoneDoubt, LaunchedRun, RunStatus } from './launched-run.ts';
import { COPIED } from './copy-words.ts';
import { linesBehindMark } from './marked-parts.ts';
import { readAbout, type RunAbout } from './run-about.ts';
import { readRunEndLine } from './run-end-line.ts';
import { isRunId, runFolder } from './run-id.ts';
import type { RunLook } from './run-look.ts';

/** Longer than any line that run-look.sh prints. */
const MAX_LINE_CHARS = 20_000;

/** A process as a file of the run names it. */
interface Named extends ProcessInLook {
  readonly isAlive: boolean;
  readonly what: string;
  readonly life: string;
  readonly rest: string;
}

interface RunLines {
  readonly id: string;
  about: string | null;
  launcher: Named | null;
  /** The machine that launched it, where that is another one. */
  elsewhere: string | null;
  doubt: GoneDoubt | null;
  /** A person has said that this machine, which launched it, is gone. */
  machineGone: { readonly machine: string; readonly atS: number } | null;
  go: Named | null;
  job: Named | null;
  copier: Named | null;
  ran: string | null;
  copied: string | null;
  cut: string | null;
  end: string | null;
  next: string | null;
  startsAgain: boolean;
  isDeclined: boolean;
  configs: number | null;
  log: { readonly bytes: number; readonly atS: number } | null;
}

/** Words that stand behind the runs and are about none of them. */
const OF_ALL = new Set(['closed', 'older', 'behind', 'no-such-run', 'whole']);

/**
 * What resources/onbox/run-look.sh printed behind its mark. Null: not whole. `no-table`: the box shows no processes. `closed`: which runs
 * there are cannot be read. `no-such-run`: the one that the others are to be older than is not there.
 */
export function readRunLook(
  stdout: string,
  mark: string,
  atMs: number,
): RunLook | 'no-table' | 'closed' | 'no-such-run' | null {
  const told = new Map<string, string>();
  const runs: RunLines[] = [];
  for (const line of linesBehindMark(stdout, mark)) {
    const said = line.slice(0, MAX_LINE_CHARS).trimEnd();
    const space = said.indexOf(' ');
    const [word, rest] = space < 0 ? [said, ''] : [said.slice(0, space), said.slice(space + 1)];
    const run = runs.at(-1);
    if (word === 'run') runs.push(emptyRun(rest));
    else if (run === undefined || OF_ALL.has(word)) told.set(word, rest);
    else takeLine(run, word, rest);
  }
  const [now, home] = [whole(told.get('now')), told.get('home')];
  const [older, life] = [whole(told.get('older')), told.get('life')];
  if (now === null || older === null || home === undefined || life === undefined) return null;
  if (!told.has('whole')) return null;
  if (told.get('table') !== 'yes') return 'no-table';
  if (told.has('closed')) return 'closed';
  if (told.has('no-such-run')) return 'no-such-run';
  const box: BoxClock = { home, life, ownTime: (boxS) => atMs - (now - boxS) * 1000 };
  const known = runs.filter(({ id }) => isRunId(id));
  const isEmpty = ({ go, about }: RunLines): boolean => go?.what === 'sealed' && about === null;
  return {
    atMs,
    runs: known.filter((run) => !isEmpty(run)).map((run) => runOf(run, box)),
    leftOut: older,
    behind: told.get('behind') ?? null,
    sealed: known.filter(({ go }) => go?.what === 'sealed').map(({ id }) => id),
  };
}

interface BoxClock {
  readonly home: string;
  readonly life: string;
  readonly ownTime: (boxS: number) => number;
}

function emptyRun(id: string): RunLines {
  return {
    ...{ id, about: null, launcher: null, go: null, job: null, copier: null },
    ...{ elsewhere: null, doubt: null, machineGone: null },
    ...{ ran: null, copied: null, cut: null, end: null, next: null },
    ...{ startsAgain: false, isDeclined: false, configs: null, log: null },
  };
}

function takeLine(run: RunLines, word: string, rest: string): void {
  switch (word) {
    case 'about':
      run.about = rest;
      return;
    case 'launcher':
    case 'go':
    case 'job':
    case 'copier':
      run[word] = named(rest);
      return;
    case 'ran':
    case 'copied':
    case 'cut':
    case 'end':
    case 'next':
      run[word] = rest;
      return;
    case 'elsewhere':
      run.elsewhere = /^[\w.-]{1,64}$/.test(rest) ? rest : null;
      return;
    case 'denied':
    case 'unseen':
    case 'odd':
      run.doubt = word;
      return;
    case 'machine-gone': {
      const [, atS, machine] = /^(\d{1,12}) ([\w.-]{1,64})$/.exec(rest) ?? [];
      if (machine !== undefined) run.machineGone = { machine, atS: Number(atS) };
      return;
    }
    case 'reboot':
      run.startsAgain = true;
      return;
    case 'declined':
      run.isDeclined = true;
      return;
    case 'configs':
      run.configs = whole(rest);
      return;
    case 'log': {
      const [, bytes, atS] = /^(\d{1,15}) (\d{1,12})$/.exec(rest) ?? [];
      if (bytes !== undefined) run.log = { bytes: Number(bytes), atS: Number(atS) };
      return;
    }
    default:
  }
}

const NAMED =
  /^(alive|gone) (\w{1,20}) (\d{0,15}) ?(\d{0,20}) ?([0-9a-f-]{0,40}\/\d{0,20})? ?(.{0,60})$/;

function named(line: string): Named | null {
  const [, living, what = '', pid = '', start = '', life = '', rest = ''] = NAMED.exec(line) ?? [];
  if (living === undefined) return null;
  const isAlive = living === 'alive';
  return { isAlive, what, pid: Number(pid), startTicks: Number(start), life, rest: rest.trim() };
}

function runOf(run: RunLines, box: BoxClock): LaunchedRun {
  const about = run.about === null ? null : readAbout(run.about);
  const [launchedS = '', detacher = ''] = run.launcher?.rest.split(' ') ?? [];
  const log = run.log;
  return {
    ...wordsOf(run, about),
    id: run.id,
    place: runFolder(box.home, run.id),
    detacher,
    launchedAtMs: /^\d{1,12}$/.test(launchedS) ? box.ownTime(Number(launchedS)) : null,
    process: run.go?.what === 'keeper' ? processOf(run.go) : null,
    status: judgeStatus(run, about, box),
    log: log === null ? null : { bytes: log.bytes, modifiedAtMs: box.ownTime(log.atS) },
    ...(run.configs === null ? {} : { configs: run.configs }),
    ...turnsOf(run, about),
    ...(run.startsAgain && run.next === null ? { startsAgain: true as const } : {}),
    ...(run.isDeclined ? { isDeclined: true as const } : {}),
  };
}

/** Of one command only where there is more than one run of it. */
function turnsOf(
  { next: told }: RunLines,
  about: RunAbout | null,
): Pick<LaunchedRun, 'queue' | 'again'> {
  if (about === null) return {};
  const next = told !== null && isRunId(told) ? told : null;
  if (about.queue !== null) return { queue: { id: about.queue, next } };
  return next === null && about.again === null
    ? {}
    : { again: { id: about.again ?? about.id, next } };
}

function wordsOf(
  { id }: RunLines,
  about: RunAbout | null,
): Pick<
  LaunchedRun,
  | 'name'
  | 'command'
  | 'folder'
  | 'results'
  | 'copyTo'
  | 'cellResults'
  | 'files'
  | 'asked'
  | 'overridden'
  | 'code'
  | 'keeps'
  | 'progress'
  | 'gpus'
  | 'sweep'
> {
  if (about === null) return { name: id, command: '', folder: '', results: null, overridden: [] };
  const { name, command, folder, results, overridden } = about;
  const { copyTo, cellResults, files, asked, code, keeps, progress, gpus, sweep } = about;
  return {
    ...{ name, command, folder, results, overridden },
    ...(copyTo === null ? {} : { copyTo }),
    ...(cellResults === null ? {} : { cellResults }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
    ...(asked === null ? {} : { asked }),
    ...(code === null ? {} : { code }),
    ...(keeps === null ? {} : { keeps }),
    ...(progress.length === 0 ? {} : { progress }),
    ...(gpus === null ? {} : { gpus }),
    ...(sweep === null ? {} : { sweep }),
  };
}

function processOf({ pid, startTicks, life }: Named): ProcessRef {
  const bootId = life.split('/')[0] ?? '';
  return { bootId: bootId === '' ? null : bootId, pid, startTicks };
}

/** Alive is only what the process table shows; over is only what was written down, or what cannot live any more. */
function judgeStatus(run: RunLines, about: RunAbout | null, box: BoxClock): RunStatus {
  const { go, launcher, end } = run;
  if (end === null && go?.what === 'keeper') {
    const copying = run.ran === null ? {} : { isCopying: true as const };
    const isAlive = run.job?.isAlive === true || run.copier?.isAlive === true;
    // Of one that has only begun, no process is written down yet.
    const last = run.ran === null ? run.job : (run.copier ?? null);
    if (go.isAlive) {
      return { kind: 'running', ...(last === null || isAlive ? copying : { isEnding: true }) };
    }
    if (isAlive) return { kind: 'running', lacksKeeper: true, ...copying };
  }
  if (end === null && go === null) return { kind: 'starting' };
  if (about === null)
    return unreadable('its file “about” is missing, or not one that a launch writes');
  if (about.id !== run.id) return unreadable('its file “about” is that of another run');
  if (end !== null) return readEnd(end, run.cut !== null, box);
  if (go?.what === 'sealed') return { kind: 'never-started' };
  if (go?.what !== 'keeper') return unreadable('its file “go” is not one that a launch writes');
  if (run.elsewhere !== null) {
    const doubt = run.doubt === null ? {} : { doubt: run.doubt };
    return { kind: 'elsewhere', machine: run.elsewhere, ...doubt };
  }
  // What copied its results is that machine's, too: of a copy that nobody has seen end nothing is known.
  if (run.machineGone !== null && (run.ran === null || copyIn(run.copied) !== COPIED)) {
    const { machine, atS } = run.machineGone;
    return { kind: 'lost', because: 'machine-gone', machine, saidAtMs: box.ownTime(atS) };
  }
  if (run.ran !== null) return readRan(run.ran, run.copied, box);
  const life = go.life === '' ? (launcher?.life ?? '') : go.life;
  return { kind: 'lost', because: life === box.life ? 'killed' : 'restart' };
}

function readEnd(line: string, isCut: boolean, { ownTime }: BoxClock): RunStatus {
  const end = readRunEndLine(line);
  if (end === null) return unreadable('its file “end” is not one that a launch writes');
  const { outcome: kind, exitCode, atS, lacksSuccessLine, copy } = end;
  const atMs = ownTime(atS);
  if (kind === 'ended') return { kind, exitCode, atMs };
  if (isCut && kind === 'failed') return { kind: 'cut-off', exitCode, atMs };
  return { kind, exitCode, atMs, lacksSuccessLine, ...(copy === null ? {} : { copy }) };
}

const copyIn = (copied: string | null): string | undefined =>
  /^[a-z-]{1,40}(?= \d)/.exec(copied ?? '')?.[0];

/** The command had succeeded, and nobody was left to write down what became of the copy. */
function readRan(ran: string, copied: string | null, { ownTime }: BoxClock): RunStatus {
  const [, code, atS] = /^(\d{1,3}) (\d{1,12})$/.exec(ran) ?? [];
  if (code === undefined) return unreadable('its file “ran” is not one that a launch writes');
  const copy = copyIn(copied) ?? 'cut-off';
  return {
    kind: copy === COPIED ? 'done' : 'failed',
    ...{ exitCode: Number(code), atMs: ownTime(Number(atS)), lacksSuccessLine: false, copy },
  };
}

const unreadable = (because: string): RunStatus => ({ kind: 'unreadable', because });
