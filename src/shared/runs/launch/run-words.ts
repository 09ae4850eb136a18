import { plainLine } from '../../questions/hostile-text.ts';
import { sessionOfRun } from '../../terminal/tmux.ts';
import { whyNotCopied } from './copy-words.ts';
import type { ProcessRef } from '../process-ref.ts';
import type { GoneDoubt, LaunchedRun, RunStatus } from './launched-run.ts';

export interface StatusWords {
  readonly tone: 'ok' | 'wait' | 'warn' | 'danger' | 'off' | 'unknown';
  readonly words: string;
  readonly title: string;
}

const MAX_NAME_CHARS = 120;
const MAX_TEXT_CHARS = 400;

/** What a run is called; a box may have made the name up. */
export function nameOf({ name, id }: Pick<LaunchedRun, 'name' | 'id'>): string {
  return plainLine(name, MAX_NAME_CHARS) || id;
}

export const textOf = (text: string): string => plainLine(text, MAX_TEXT_CHARS);

/** How a run stands. `isSeenNow`: the box is connected and was just looked at; else what may have changed is said as it was. */
export function statusWords({ status }: LaunchedRun, isSeenNow: boolean): StatusWords {
  switch (status.kind) {
    case 'starting':
      return {
        tone: isSeenNow ? 'wait' : 'unknown',
        words: isSeenNow ? 'Starting' : 'Starting when last seen',
        title: 'Its folder is on the box; its command has not begun.',
      };
    case 'running':
      if (isSeenNow && 'lacksKeeper' in status) {
        return {
          tone: 'warn',
          words: 'Running (unattended)',
          title: 'It runs, but what would have written down its end and its exit code is gone.',
        };
      }
      if (isSeenNow && status.isCopying === true) {
        return {
          tone: 'ok',
          words: 'Copying results',
          title: 'The command has succeeded. The run is done once the copy was read back.',
        };
      }
      if (isSeenNow && status.isEnding === true) {
        return {
          tone: 'wait',
          words: 'Ending',
          title:
            'Its command has finished, and the outcome is not written to its run folder yet. If this lasts, the disk of that folder is full or read-only.',
        };
      }
      return isSeenNow
        ? { tone: 'ok', words: 'Running', title: 'Its process is in the process table of the box.' }
        : {
            tone: 'unknown',
            words: 'Running when last seen',
            title: 'How it stands now is not known until the box is looked at again.',
          };
    case 'never-started':
      return {
        tone: 'warn',
        words: 'Never started',
        title: 'The launch was cut off before the command began. Nothing of it runs.',
      };
    case 'done':
      return {
        tone: 'ok',
        words: 'Done',
        title:
          status.copy === undefined
            ? 'It ended by itself, with success.'
            : 'It ended by itself, with success, and its results were copied and read back.',
      };
    case 'failed':
      return failedWords(status);
    case 'ended':
      return {
        tone: 'off',
        words: 'Ended by you',
        title: 'It was ended from Leasehold, on this computer or another one.',
      };
    case 'cut-off':
      return {
        tone: 'danger',
        words: 'Cut off',
        title:
          'It got SIGTERM before it was done, as when the box restarts or a spot machine is taken back.',
      };
    case 'elsewhere':
      return {
        tone: 'unknown',
        words: `Launched on ${textOf(status.machine)}`,
        title: `Another machine that has this home launched it, or this one under another name. No end is written down; whether it still runs, only ${textOf(status.machine)} can tell.${doubtWords(status)}`,
      };
    case 'lost':
      if (status.because === 'machine-gone') {
        return {
          tone: 'danger',
          words: `Lost: machine ${textOf(status.machine)} said to be gone`,
          title: `${textOf(status.machine)} launched it, and a person has said that this machine is gone for good. Nobody has seen its end. How far it got, its log and its results tell.`,
        };
      }
      return status.because === 'restart'
        ? {
            tone: 'danger',
            words: 'Lost: the box restarted',
            title: 'The box restarted while it ran. How far it got, its log and its results tell.',
          }
        : {
            tone: 'danger',
            words: 'Lost: killed',
            title:
              'Its processes are gone and no exit code was written: something killed them, or the disk of the run folder could not be written.',
          };
    case 'unreadable':
      return {
        tone: 'unknown',
        words: 'Unreadable',
        title: `Its folder on the box is not as a launch writes it: ${textOf(status.because)}`,
      };
  }
}

const DOUBTS: Readonly<Record<GoneDoubt, string>> = {
  denied: 'what the run writes has changed since',
  unseen: 'whether the run still writes cannot be told',
  odd: 'Leasehold did not write the “machine-gone” in its folder',
};

/** Why it is not lost though somebody has said that its machine is gone; empty: nobody has. */
export const doubtWords = ({ doubt }: Extract<RunStatus, { kind: 'elsewhere' }>): string =>
  doubt === undefined ? '' : ` It was said to be gone, which does not count: ${DOUBTS[doubt]}.`;

/** What a shell adds to the number of the signal that ended a command. */
const OF_A_SIGNAL = 128;
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  6: 'SIGABRT',
  7: 'SIGBUS',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

type Failed = Extract<LaunchedRun['status'], { kind: 'done' | 'failed' }>;

function failedWords({ exitCode, lacksSuccessLine, copy }: Failed): StatusWords {
  const failed = (words: string, title: string): StatusWords => ({
    tone: 'danger',
    words: `Failed (${words})`,
    title,
  });
  if (lacksSuccessLine) {
    return failed(
      'no success text in the log',
      'It exited with code 0, but its log lacks the text that you gave for success.',
    );
  }
  if (copy !== undefined && exitCode === 0) {
    return failed(
      'results not copied',
      `Its command succeeded, but there is no checked copy of its results: ${whyNotCopied(copy)}.`,
    );
  }
  if (exitCode === null) return failed('exit code unknown', 'No exit code was written down.');
  const signal = SIGNALS[exitCode - OF_A_SIGNAL];
  const code = `exit ${String(exitCode)}`;
  return signal === undefined
    ? failed(code, `It ended by itself with exit code ${String(exitCode)}.`)
    : failed(`${code}, ${signal}`, `A shell gives this code for an end by the signal ${signal}.`);
}

/** When it ended; null: it has not, or nobody knows. */
export function endOf({ status }: LaunchedRun): number | null {
  return 'atMs' in status ? status.atMs : null;
}

/** Where an order to end it makes sense. */
export function isAlive({ status }: LaunchedRun): boolean {
  return status.kind === 'starting' || status.kind === 'running';
}

/** What lives until the run's end is written down; null: it has not begun, or is gone. */
export function keeperOf({ status, process }: LaunchedRun): ProcessRef | null {
  return status.kind === 'running' && status.lacksKeeper !== true ? process : null;
}

/** The tmux session that shows it while it lives, which ends with its keeper; null: tmux did not start it, or it is gone. */
export const sessionOf = (run: LaunchedRun): string | null =>
  run.detacher === 'tmux' && keeperOf(run) !== null ? sessionOfRun(run.id) : null;
