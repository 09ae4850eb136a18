import { problem, type Problem } from '../../shared/problem.ts';

export const NOT_LISTED = 'The box is not in the list.';
export const NOT_GONE = 'This box is not gone.';
export const NO_SUCH_VERB = 'The platform of this box has no such action.';
export const BUSY = 'Something else is being done on this box. Wait until it is finished.';

export const OTHER_PICTURE =
  'What you confirmed is no longer what is shown. Read what was found since, then decide again.';

export function refused(because: string): Problem {
  return problem('teardown-refused', because);
}
