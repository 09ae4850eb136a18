import { problem, type Problem } from '../../shared/problem.ts';
import {
  DOING_WORDS,
  isStoppable,
  type TeardownDoing,
} from '../../shared/teardown/teardown-view.ts';

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
  'This box was linked to another machine or got another address meanwhile, so nothing was done. Check the box again.';

export const OTHER_NAME =
  'This box was renamed meanwhile, so nothing was done. Check the box again.';
export const OTHER_RUNS =
  'A run was launched on this box meanwhile, or seen there for the first time, so nothing was done. Check the box again.';
export const OTHER_FACTS =
  'What is known of its platform has changed meanwhile, so nothing was done. Check the box again.';

export const OTHER_PICTURE =
  'What you confirmed is no longer what is shown. Read what was found since, then decide again.';

/** What is being done on the box, and how a person gets past it. */
export function busyWith({ kind }: TeardownDoing): Problem {
  const nextStep = isStoppable(kind)
    ? 'Wait until it is finished, or choose “Stop” on the Teardown tab of the box.'
    : 'Wait until it is finished.';
  const message = `Something else is being done on this box: ${DOING_WORDS[kind]}.`;
  return problem('teardown-refused', message, { nextStep });
}

export function refused(because: string): Problem {
  return problem('teardown-refused', because);
}
