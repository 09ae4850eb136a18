import { problem, type Problem } from '../../shared/problem.ts';

export const NOT_LISTED = 'The box is not in the list.';
export const NOT_GONE = 'This box is not gone.';
export const NO_SUCH_VERB = 'The platform of this box has no such action.';
export const BUSY = 'Something else is being done on this box. Wait until it is finished.';
export const STOPPED = 'It was stopped, and nothing was done.';
export const ORDERED =
  'Another end of this box is noted on it, so nothing was done. Check the box again.';
export const OTHER_LEASEHOLD =
  'Another Leasehold has called this end off or gone on with it, so nothing was done here.';
export const OTHER_MACHINE =
  'This box was linked to another machine meanwhile, so nothing was done. Check the box again.';

export const OTHER_PICTURE =
  'What you confirmed is no longer what is shown. Read what was found since, then decide again.';

export function refused(because: string): Problem {
  return problem('teardown-refused', because);
}
