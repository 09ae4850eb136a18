import type { PlannedPush } from '../../../transfer/planned-push.ts';
import type { PreflightCheck } from '../launch-plan.ts';
import type { RunCode } from '../run-about.ts';
import { block, pass, unknown, type Judged } from './judged.ts';

/** What a sweep was launched with first: null: nothing was pushed; undefined: nobody wrote it down. */
export type FirstCode = RunCode | null | undefined;

/** Cells that run again belong beside those that are done: with other code they are another sweep (U42). `now`: what would be pushed. */
export function sameCodeCheck(
  first: FirstCode,
  now: Pick<PlannedPush, 'tree' | 'commit' | 'isDirty'> | null,
): readonly PreflightCheck[] {
  const judged = judge(first, now);
  return judged === null ? [] : [{ id: 'same-code', title: 'Code of the first launch', ...judged }];
}

function judge(
  first: FirstCode,
  now: Pick<PlannedPush, 'tree' | 'commit' | 'isDirty'> | null,
): Judged | null {
  if (first === null || first === undefined) {
    return first === undefined && now !== null
      ? unknown('With which code the sweep was launched first was not written down.', 'U42')
      : null;
  }
  if (now === null) {
    return unknown(
      `The sweep was launched with ${codeWords(first)}. This computer does not know the folder it was pushed from: nothing is pushed, and what lies on the box runs.`,
      'U42',
    );
  }
  if (now.tree === first.tree) {
    return pass(`It is that of the first launch: ${codeWords(first)}.`, 'U42');
  }
  return block(
    `It is not that of the first launch: now ${codeWords(now)}, then ${codeWords(first)}.`,
    'U42',
    'these cells run with other code than the rest of the sweep.',
  );
}

function codeWords({
  tree,
  commit,
  isDirty,
}: Pick<PlannedPush, 'tree' | 'commit' | 'isDirty'>): string {
  const short = `tree ${tree.slice(0, 12)}`;
  if (commit === null) return short;
  return `${short} (commit ${commit.slice(0, 12)}${isDirty ? ' with changes' : ''})`;
}
