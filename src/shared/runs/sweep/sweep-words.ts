import { BOX_GONE, COPY_GONE, whyNotCopied } from '../launch/copy-words.ts';
import type { StatusWords } from '../launch/run-words.ts';
import { cellWords } from '../queue/queue-words.ts';
import type { SweepGroup } from './judge-sweep.ts';
import type { SweepCell, SweepCellState } from './sweep-view.ts';

export const GROUP_WORDS: Readonly<Record<SweepGroup, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  copying: 'Copying results',
  done: 'Done',
  empty: 'Done, empty',
  uncopied: 'Not copied',
  failed: 'Failed',
  interrupted: 'Interrupted',
  'never-started': 'Never started',
  missing: 'Missing',
  unseen: 'Unknown',
  twice: 'Twice',
  'maybe-twice': 'Maybe twice',
};

/** How one cell stands. `isSeenNow`: its box was just asked. */
export function sweepCellWords({ state, isEmpty }: SweepCell, isSeenNow: boolean): StatusWords {
  const old = (words: string): StatusWords => ({
    tone: 'unknown',
    words: `${words} when last seen`,
    title: 'Its box is not reached: how the cell stands now is not known.',
  });
  switch (state.kind) {
    case 'waiting':
      return isSeenNow
        ? { tone: 'wait', words: 'Waiting', title: 'Its queue goes on, and has not come to it.' }
        : old('Waiting');
    case 'running':
      return isSeenNow ? cellWords(state, isSeenNow) : old('Running');
    case 'done':
      return isEmpty === true
        ? {
            tone: 'warn',
            words: 'Done, empty',
            title: 'It ended with exit code 0, and its results folder holds nothing.',
          }
        : cellWords(state, isSeenNow);
    case 'copying':
      return isSeenNow ? cellWords(state, isSeenNow) : old('Copying');
    case 'uncopied':
      return {
        tone: 'danger',
        words: 'Not copied',
        title: `It ended with exit code 0, but there is no checked copy of its results: ${whyNotCopied(state.why)}. ${whatCopies(state)}`,
      };
    case 'failed':
      return cellWords(state, isSeenNow);
    case 'interrupted':
      return {
        tone: 'warn',
        words: 'Interrupted',
        title: 'It began, has no exit code, and nothing goes on with it.',
      };
    case 'never-started':
      return {
        tone: 'off',
        words: 'Never started',
        title: 'It has not begun, and no queue that lives has it.',
      };
    case 'missing':
      return {
        tone: 'warn',
        words: 'Missing',
        title:
          'The run that was given it, or its line in the queue, is not on the box any more, or the box itself is gone.',
      };
    case 'unseen':
      return {
        tone: 'unknown',
        words: 'Unknown',
        title: 'Whether it has begun is not known: no box that has it was reached.',
      };
  }
}

/** What brings a checked copy of its results about. */
function whatCopies({
  why,
  hasPruned,
}: Extract<SweepCellState, { readonly kind: 'uncopied' }>): string {
  if (why === COPY_GONE || why === BOX_GONE)
    return 'Running it again runs its command from the start.';
  return hasPruned === true
    ? 'Some of them may be removed already, after an earlier copy. Resume its queue on the box: that checks the copy, and does not run the cell again.'
    : 'Run it again on the same box: its results are copied again, and it is not run.';
}
