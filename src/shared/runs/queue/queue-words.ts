import { COPY_GONE, whyNotCopied } from '../launch/copy-words.ts';
import type { StatusWords } from '../launch/run-words.ts';
import type { CellState, QueueView } from './queue-view.ts';

const PUT_BACK =
  'Put that copy back and resume the queue, which checks it; otherwise only running the cell again brings them back.';

const UNSEEN = 'How it stands now is not known until the box that runs it is looked at again.';

/** How one cell stands. `isSeenNow`: the box was just looked at. */
export function cellWords(state: CellState, isSeenNow: boolean): StatusWords {
  switch (state.kind) {
    case 'commented':
      return {
        tone: 'off',
        words: 'Left out',
        title: 'Its line has a # in front: it does not run.',
      };
    case 'waiting':
      return { tone: 'off', words: 'Waiting', title: 'It has not begun.' };
    case 'running':
      return isSeenNow
        ? { tone: 'ok', words: 'Running', title: 'It runs now.' }
        : {
            tone: 'unknown',
            words: 'Running when last seen',
            title: UNSEEN,
          };
    case 'interrupted':
      return {
        tone: 'warn',
        words: 'Interrupted',
        title: 'It began and has no exit code. Whoever resumes the queue runs it again.',
      };
    case 'copying':
      return isSeenNow
        ? {
            tone: 'wait',
            words: 'Copying results',
            title: 'It ended with exit code 0. It is done once the copy was read back.',
          }
        : {
            tone: 'unknown',
            words: 'Copying when last seen',
            title: UNSEEN,
          };
    case 'uncopied':
      return {
        tone: 'danger',
        words: 'Not copied',
        title: `It ended with exit code 0, but there is no checked copy of its results: ${whyNotCopied(state.why)}. ${state.why === COPY_GONE ? PUT_BACK : 'Resuming the queue copies them again, and does not run it again.'}`,
      };
    case 'done':
      return { tone: 'ok', words: 'Done', title: doneWords(state.copied) };
    case 'failed':
      return {
        tone: 'danger',
        words: `Failed (exit ${String(state.exitCode)})`,
        title: `It ended with exit code ${String(state.exitCode)}.`,
      };
  }
}

/** Of the cells that began after code had been changed (U42); null: none did. */
export function changedCodeWords(marks: QueueView['marks']): string | null {
  const cells = Object.keys(marks).filter((index) => (marks[Number(index)]?.changedFiles ?? 0) > 0);
  if (cells.length === 0) return null;
  const shown = cells.slice(0, 5).join(', ');
  const more = cells.length > 5 ? ` and ${String(cells.length - 5)} more` : '';
  return cells.length === 1
    ? `Code in the working folder was changed since the launch, and cell ${shown} began after that: it may not have run what the others did. Its log names the files.`
    : `Code in the working folder was changed since the launch, and cells ${shown}${more} began after that: they may not have run what the others did. Their logs name the files.`;
}

/** `copied`: how many files of its results. */
export function doneWords(copied: number | undefined): string {
  const exit = 'It ended with exit code 0';
  if (copied === undefined) return `${exit}.`;
  return `${exit}; ${copied === 1 ? '1 file was' : `${String(copied)} files were`} copied and read back.`;
}

export type CellTally = Readonly<Record<CellState['kind'], number>>;

export function tallyOf(states: readonly CellState[]): CellTally {
  const tally = {
    ...{ commented: 0, waiting: 0, running: 0, copying: 0 },
    ...{ interrupted: 0, uncopied: 0, done: 0, failed: 0 },
  };
  for (const { kind } of states) tally[kind] += 1;
  return tally;
}
