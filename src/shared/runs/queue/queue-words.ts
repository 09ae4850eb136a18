import type { StatusWords } from '../launch/run-words.ts';
import type { CellState } from './queue-view.ts';

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
            title: 'How it stands now is not known until the box is looked at again.',
          };
    case 'interrupted':
      return {
        tone: 'warn',
        words: 'Interrupted',
        title: 'It began and has no exit code. Whoever resumes the queue runs it again.',
      };
    case 'done':
      return { tone: 'ok', words: 'Done', title: 'It ended with exit code 0.' };
    case 'failed':
      return {
        tone: 'danger',
        words: `Failed (exit ${String(state.exitCode)})`,
        title: `It ended with exit code ${String(state.exitCode)}.`,
      };
  }
}

export type CellTally = Readonly<Record<CellState['kind'], number>>;

export function tallyOf(states: readonly CellState[]): CellTally {
  const tally = { commented: 0, waiting: 0, running: 0, interrupted: 0, done: 0, failed: 0 };
  for (const { kind } of states) tally[kind] += 1;
  return tally;
}
