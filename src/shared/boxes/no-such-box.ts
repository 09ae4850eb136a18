import { problem, type Problem } from '../problem.ts';
import { err } from '../result.ts';

/** A box that was asked for and was forgotten meanwhile. */
export function noSuchBox(): { readonly ok: false; readonly error: Problem } {
  return err(problem('no-such-box', 'This box is not in the list any more.'));
}
