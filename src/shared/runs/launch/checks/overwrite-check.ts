import { plainLine } from '../../../questions/hostile-text.ts';
import type { Problem } from '../../../problem.ts';
import type { Result } from '../../../result.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import { block, listWords, MAX_SHOWN_CHARS, pass, unknown, type Judged } from './judged.ts';

/** Of files that a push overwrites and no push has put there: why they may be all that there is of a run's results; null: they are not. */
export type Overwritten = Result<string | null, Problem>;

/** `written`: those files. */
export function judgeOverwritten(
  written: readonly string[],
  found: Overwritten,
): readonly PreflightCheck[] {
  return [
    { id: 'overwritten', title: 'Results that the push overwrites', ...judge(written, found) },
  ];
}

function judge(written: readonly string[], found: Overwritten): Judged {
  const names = listWords(written.map((path) => plainLine(path, MAX_SHOWN_CHARS)));
  const told = `The push overwrites ${names}, which ${written.length === 1 ? 'was' : 'were'} written on the box`;
  if (!found.ok) return unknown(`${told}. ${found.error.message}`);
  return found.value === null
    ? pass(`${told}: no results of a run that are not on this computer.`)
    : block(
        `${told}. ${found.value} Bring the results home first, or leave them out (push.ignore).`,
        null,
        'what was written there is gone.',
      );
}
