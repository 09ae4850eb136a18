import { COPIED } from '../runs/launch/copy-words.ts';
import type { RunEndLine } from '../runs/launch/run-end-line.ts';
import { isSameProcess, type ProcessInLook } from '../runs/process-ref.ts';
import type { OomKill } from '../probes/oom-kill.ts';
import { judgeRestart } from '../telemetry/machine-marks.ts';
import type { LogEnding } from '../triage/failure-words.ts';
import type { FailureId } from '../triage/failures.ts';
import { readLogEnding, type LastWords } from '../triage/log-endings.ts';
import type { MemoryLook, PatrolLook, RunInLook, TmuxPane } from './patrol-look.ts';
import type { GoneRun } from './patrol-state.ts';

/** Why a run is gone, in the order in which a proven one is believed. */
export const vanishCauses = [
  'finished',
  'reboot',
  'container-restart',
  'walltime',
  'preempted',
  'out-of-memory',
  'gpu-fault',
  'disk-full',
  'own-error',
  'hang-up',
  'killed',
] as const;
export type VanishCause = (typeof vanishCauses)[number];

export const vanishVerdicts = ['proven', 'ruled-out', 'not-proven'] as const;

/** One rung of the ladder. */
export interface VanishStep {
  readonly cause: VanishCause;
  readonly verdict: (typeof vanishVerdicts)[number];
  /** What it rests on, or what is missing. May quote a line of the box: hostile. */
  readonly because: string;
}

export type VanishJudgement =
  | { readonly kind: 'running' }
  /** A lost poll is never a lost run. */
  | { readonly kind: 'unknown'; readonly because: string }
  /** `cause` null: not proven; the steps say what is missing for each. */
  | {
      readonly kind: 'gone';
      readonly cause: VanishCause | null;
      readonly steps: readonly VanishStep[];
      /** What its log says that went wrong: the fixed answer to it goes before that to the cause. Null: nothing known. */
      readonly failure: FailureId | null;
    };

/** A run of the look before that is not there now, or of which nobody knows. */
export interface MissingRun {
  readonly run: RunInLook;
  readonly judgement: VanishJudgement;
}

/** What other probes know of the time between the two looks. Null: could not be read, so nothing is ruled out. */
export interface KernelSince {
  readonly oomKills: readonly OomKill[];
  /** Lines of faults after which a card runs nothing. */
  readonly gpuFaults: readonly string[];
}

/** What must be known of the time when the run was seen. */
export type LookBefore = Pick<PatrolLook, 'atMs' | 'machine' | 'runs'> & {
  /** Runs that were missed by then. */
  readonly gone?: readonly Pick<GoneRun, 'folder' | 'missedMs'>[];
  readonly memory: Pick<MemoryLook, 'oomKills' | 'hostOomKills'> | null;
};

/** Walks the ladder for a run of the look before. */
export function judgeVanished(
  run: RunInLook,
  before: LookBefore,
  now: PatrolLook,
  kernel: KernelSince | null,
): VanishJudgement {
  if (!now.isWhole || !now.processes.isWhole) {
    return { kind: 'unknown', because: 'the box did not tell of all its processes' };
  }
  const restart = judgeRestart(asMachine(before), asMachine(now));
  if (isThere(run, now) && restart === null) return { kind: 'running' };
  const ending = lastWordsOf(run, before, now);
  const memory = outOfMemory(run, before, now, {
    isSameLife: restart === null,
    kernel,
    ending,
  });
  const kept = run.logs.flatMap(({ path }) => now.keptEnds.get(path) ?? [])[0] ?? null;
  const steps = [
    kept === null ? finished(run, before, now) : finishedAsKept(kept),
    ...restarted(restart, before, now),
    byScheduler('walltime', 'its time limit was reached', ending),
    byScheduler('preempted', 'it was preempted', ending),
    memory,
    gpuFault(run, kernel),
    byLog('disk-full', ['disk-full'], ending, 'no write failed for want of space'),
    ownError(ending, kept),
    hangUp(run, now, ending),
    killed(ending, memory, kept),
  ];
  const cause = vanishCauses.find((each) =>
    steps.some((step) => step.cause === each && step.verdict === 'proven'),
  );
  const failure = TOLD_BY_LOG.includes(cause ?? 'own-error')
    ? (ending.found?.failure ?? null)
    : null;
  return { kind: 'gone', cause: cause ?? null, steps, failure };
}

/** A reboot ends a run whatever its log says. */
const TOLD_BY_LOG: readonly VanishCause[] = ['own-error', 'disk-full', 'out-of-memory'];

const asMachine = ({ machine }: LookBefore): Parameters<typeof judgeRestart>[0] => ({
  ...machine,
  cudaMaxVersion: null,
});

const proven = (cause: VanishCause, because: string): VanishStep => ({
  cause,
  verdict: 'proven',
  because,
});
const ruledOut = (cause: VanishCause, because: string): VanishStep => ({
  cause,
  verdict: 'ruled-out',
  because,
});
const notProven = (cause: VanishCause, because: string): VanishStep => ({
  cause,
  verdict: 'not-proven',
  because,
});

/** `log`: null where there is none, or where it could not be read. */
interface OwnWords {
  readonly log: 'none' | 'unread' | 'read';
  readonly found: LastWords | null;
}

function lastWordsOf(run: RunInLook, before: LookBefore, now: PatrolLook): OwnWords {
  if (run.logs.length === 0) return { log: 'none', found: null };
  const beganAtS = beginOf(run, before);
  const ends = run.logs.flatMap(({ path, inode, bytes }) => {
    const known = now.knownLogs.get(path);
    // Another file under the same name is another run's.
    if (known === undefined || known.inode !== inode) return [];
    // So is a file that was emptied since, or that somebody else writes to by now: its end is not this run's.
    if (known.bytes < bytes || isWrittenByAnother(run, inode, now)) return [];
    // Not written to since it began: what stands there is all of an earlier run.
    if (beganAtS !== null && known.modifiedAtS < beganAtS) return [''];
    return known.end === null ? [] : [known.end];
  });
  if (ends.length === 0) return { log: 'unread', found: null };
  const found = ends.flatMap((end) => readLogEnding(end) ?? []);
  return { log: 'read', found: found.find(({ failure }) => failure !== null) ?? found[0] ?? null };
}

function isWrittenByAnother(run: RunInLook, inode: number, { runs }: PatrolLook): boolean {
  return runs.some(
    (each) => !isSameProcess(each, run) && each.logs.some((log) => log.inode === inode),
  );
}

/** A box tells its clock and the times of its files in whole seconds, each rounded down. */
const CLOCK_GRAIN_S = 2;

/** Of a run that Leasehold launched, its folder keeps the exit code. */
const keptWords = ({ exitCode, lacksSuccessLine, copy }: RunEndLine): string => {
  if (exitCode === null) return 'its run folder says that it ended, and no exit code';
  const notCopied = copy !== null && copy !== COPIED;
  return `its run folder keeps exit code ${String(exitCode)}${lacksSuccessLine ? ', and its log lacks the success line' : ''}${notCopied ? ', and its results were not copied' : ''}`;
};

function finishedAsKept(kept: RunEndLine): VanishStep {
  return kept.outcome === 'done'
    ? proven('finished', keptWords(kept))
    : ruledOut('finished', keptWords(kept));
}

/** What the log says tells more than a number does. */
function ownError(ending: OwnWords, kept: RunEndLine | null): VanishStep {
  const said = byLog('own-error', ['error'], ending, 'no exception stands at its end');
  const hasFailed = kept?.outcome === 'failed' && signalOf(kept) === null;
  return hasFailed && said.verdict !== 'proven' ? proven('own-error', keptWords(kept)) : said;
}

/** 128 and more is how a shell tells the signal that ended a command. */
const signalOf = ({ exitCode }: RunEndLine): number | null =>
  exitCode !== null && exitCode > 128 ? exitCode - 128 : null;
const SIGKILL = 9;

/** A marker of success, made after the run had begun; or a pane that kept its exit code. Never a line that it printed. */
function finished(run: RunInLook, before: LookBefore, now: PatrolLook): VanishStep {
  const pane = paneOf(run, before, now);
  if (pane?.exitCode === 0) return proven('finished', 'its tmux pane ended with exit code 0');
  if (pane?.exitCode !== undefined && pane.exitCode !== null) {
    return ruledOut('finished', `its tmux pane ended with exit code ${String(pane.exitCode)}`);
  }
  const beganAtS = beginOf(run, before);
  const { folder } = run;
  const markers = now.artefacts.filter(
    ({ kind, path, modifiedAtS }) =>
      kind === 'done' &&
      beganAtS !== null &&
      modifiedAtS >= beganAtS &&
      folder !== null &&
      isIn(folder, path),
  );
  const [marker] = markers;
  if (marker !== undefined && folder !== null && isOwn(markers, folder, run, before, now)) {
    return proven('finished', `it left ${marker.path}`);
  }
  if (marker !== undefined) {
    return notProven('finished', `${marker.path} may be of another run in the same folder`);
  }
  return notProven('finished', 'no marker of success, and no exit code was kept');
}

const isIn = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`);

/**
 * Whether a marker of success can be no other run's. Of runs that share a folder each that ended since the look before must have left
 * one since then.
 */
function isOwn(
  markers: PatrolLook['artefacts'],
  folder: string,
  run: RunInLook,
  before: LookBefore,
  now: PatrolLook,
): boolean {
  const sharing = before.runs.filter(
    (each) => !isSameProcess(each, run) && each.folder !== null && isIn(folder, each.folder),
  );
  const sinceMs = run.ageS === null ? -Infinity : before.atMs - run.ageS * 1000;
  const endedBefore = (before.gone ?? []).filter(
    (each) => each.folder !== null && isIn(folder, each.folder) && each.missedMs >= sinceMs,
  );
  if (sharing.length + endedBefore.length === 0) return true;
  const ended = 1 + sharing.filter((each) => !isThere(each, now)).length;
  const sinceS = boxSeconds(before) - CLOCK_GRAIN_S;
  return markers.filter(({ modifiedAtS }) => modifiedAtS >= sinceS).length >= ended;
}

function isThere(run: ProcessInLook, { processes }: PatrolLook): boolean {
  return processes.rows.some((row) => isSameProcess(row, run) && row.state !== 'Z');
}

/** The pane that it ended in. Of several in its session: only the one that it was itself. */
function paneOf(run: RunInLook, before: LookBefore, now: PatrolLook): TmuxPane | undefined {
  const dead = now.panes.filter(({ session, isDead }) => session === run.tmuxSession && isDead);
  const own = dead.find(({ pid }) => pid === run.pid);
  const isAnothers = ({ pid }: TmuxPane): boolean => before.runs.some((each) => each.pid === pid);
  return own ?? (dead.length === 1 ? dead.find((pane) => !isAnothers(pane)) : undefined);
}

/** When it began, at the earliest, by the box's own clock. */
function beginOf({ ageS }: RunInLook, before: LookBefore): number | null {
  return ageS === null ? null : boxSeconds(before) - ageS - CLOCK_GRAIN_S;
}

/** The box's own clock, which the times of its files are by. */
const boxSeconds = ({ atMs, machine }: LookBefore): number =>
  (atMs + (machine.clockOffsetMs ?? 0)) / 1000;

function restarted(
  restart: ReturnType<typeof judgeRestart>,
  before: LookBefore,
  now: PatrolLook,
): readonly VanishStep[] {
  const told = (look: LookBefore, key: 'bootId' | 'initStartTicks'): boolean =>
    look.machine[key] !== null;
  const step = (cause: 'reboot' | 'container-restart', key: 'bootId' | 'initStartTicks') => {
    if (restart === cause) {
      const uptimeS = now.machine.uptimeS;
      const since = uptimeS === null ? '' : `; it has been up for ${String(Math.round(uptimeS))} s`;
      return proven(
        cause,
        cause === 'reboot' ? `the boot id is another one${since}` : 'process 1 is another one',
      );
    }
    if (restart === 'reboot') return ruledOut(cause, 'the whole machine was rebooted');
    return told(before, key) && told(now, key)
      ? ruledOut(cause, cause === 'reboot' ? 'the boot id is the same' : 'process 1 is the same')
      : notProven(cause, 'the box does not tell');
  };
  return [step('reboot', 'bootId'), step('container-restart', 'initStartTicks')];
}

function byScheduler(
  cause: 'walltime' | 'preempted',
  words: string,
  { log, found }: OwnWords,
): VanishStep {
  if (found?.ending === cause) return proven(cause, `${words}: ${found.line}`);
  return log === 'read'
    ? ruledOut(cause, 'its log has no word of a scheduler')
    : notProven(cause, 'its log could not be read');
}

interface MemoryContext {
  readonly isSameLife: boolean;
  readonly kernel: KernelSince | null;
  readonly ending: OwnWords;
}

function outOfMemory(
  run: RunInLook,
  before: LookBefore,
  now: PatrolLook,
  { isSameLife, kernel, ending }: MemoryContext,
): VanishStep {
  const cause = 'out-of-memory';
  const line = kernel?.oomKills.find(({ pid }) => pid === run.pid);
  if (line !== undefined) return proven(cause, line.line);
  if (ending.found?.ending === 'oom-kill') return proven(cause, ending.found.line);
  const [was, is] = [before.memory?.oomKills ?? null, now.memory?.oomKills ?? null];
  if (isSameLife && was !== null && is !== null) {
    if (is === was) return ruledOut(cause, `the group’s oom_kill counter stands at ${String(is)}`);
    if (is > was) {
      const rose = `the group’s oom_kill counter rose from ${String(was)} to ${String(is)}`;
      // The counter names nobody. A run that says something else at its end was not the one.
      const isOther = ending.found !== null && !canFollowAKill(ending.found);
      return isOther
        ? notProven(cause, `${rose}, but its log ends with: ${ending.found.line}`)
        : proven(cause, rose);
    }
  }
  const [hostWas, hostIs] = [before.memory?.hostOomKills ?? null, now.memory?.hostOomKills ?? null];
  if (isSameLife && hostWas !== null && hostIs !== null && hostWas === hostIs) {
    return ruledOut(cause, 'the kernel ended no process of this machine for want of memory');
  }
  if (!isSameLife) return notProven(cause, 'the counter begins anew with each start');
  return notProven(cause, 'the box does not tell its oom_kill counter');
}

/** What a run says of a process of its own that was killed. An exception of another kind has another cause. */
function canFollowAKill({ ending, line }: LastWords): boolean {
  if (ending === 'error') return BROKEN_OFF.test(line);
  return ending === 'killed' || ending === 'worker-killed';
}
const BROKEN_OFF =
  /^(?:[\w.]*\.)?(?:MemoryError|EOFError|BrokenPipeError|ConnectionResetError|BrokenProcessPool|ChildFailedError|ProcessExitedException|WorkerCrashedError)\b|\b(?:signal 9|SIGKILL|exitcode:? *-9)\b/;

function gpuFault(run: RunInLook, kernel: KernelSince | null): VanishStep {
  const cause = 'gpu-fault';
  if (!run.holdsGpu) return ruledOut(cause, 'it held no GPU');
  if (kernel === null) return notProven(cause, 'the kernel log was not read');
  const line = kernel.gpuFaults[0];
  return line === undefined
    ? ruledOut(cause, 'the kernel log has no fault of a GPU')
    : proven(cause, line);
}

function byLog(
  cause: 'disk-full' | 'own-error',
  endings: readonly LogEnding[],
  { log, found }: OwnWords,
  otherwise: string,
): VanishStep {
  if (found !== null && endings.includes(found.ending)) return proven(cause, found.line);
  if (log === 'none') return notProven(cause, 'it wrote no log');
  return log === 'read'
    ? ruledOut(cause, otherwise)
    : notProven(cause, 'its log could not be read');
}

function hangUp(run: RunInLook, now: PatrolLook, { found }: OwnWords): VanishStep {
  const cause = 'hang-up';
  if (found?.ending === 'hang-up') return proven(cause, found.line);
  if (run.tmuxSession !== null) return ruledOut(cause, 'it ran in tmux');
  if (run.survivesHangup === true) return ruledOut(cause, 'it does not hear the hang-up signal');
  const hasTmux = now.panes.length > 0;
  return notProven(
    cause,
    run.survivesHangup === null
      ? 'whether it heard the hang-up signal is not known'
      : `it was started without nohup, setsid or tmux${hasTmux ? '' : ', and no tmux runs'}: a dropped connection would end it`,
  );
}

/** `Killed` is what a shell says of any KILL signal, the kernel's own as well. */
function killed({ log, found }: OwnWords, memory: VanishStep, kept: RunEndLine | null): VanishStep {
  const cause = 'killed';
  if (kept?.outcome === 'ended') return proven(cause, 'you ended it from Leasehold');
  const signal = kept === null ? null : signalOf(kept);
  if (kept !== null && signal !== null) {
    return signal === SIGKILL && memory.verdict !== 'ruled-out'
      ? notProven(cause, `${keptWords(kept)}, and so does that of one that ran out of memory`)
      : proven(cause, keptWords(kept));
  }
  if (found?.ending === 'killed' && memory.verdict !== 'ruled-out') {
    return notProven(
      cause,
      `its log ends with “${found.line}”, and so does one that ran out of memory`,
    );
  }
  if (found !== null && ['killed', 'terminated', 'interrupted'].includes(found.ending)) {
    return proven(cause, found.line);
  }
  return log === 'read'
    ? notProven(cause, 'a process that is killed can end without a word')
    : notProven(cause, 'its log could not be read');
}
