import { problem, type Problem } from '../../shared/problem.ts';

const ROOM_STEP = 'Free some space there, then launch again: what has arrived is not sent twice.';

interface Refusal {
  readonly message: string;
  readonly nextStep?: string;
}

/** Why the box did not take the code, by the words of tree-receive.sh and tree-place.sh. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'not-writable': {
    message: "The folder on the box can't be created or written.",
  },
  'disk-full': {
    message: 'The disk of the folder on the box is full.',
    nextStep: ROOM_STEP,
  },
  'no-inodes': {
    message: 'The disk of the folder on the box has no inodes left, so no file can be created.',
    nextStep: 'Delete files there, then launch again: what has arrived is not sent twice.',
  },
  quota: {
    message: 'Your disk quota on the box is used up.',
    nextStep: ROOM_STEP,
  },
  'read-only': {
    message: 'The file system of the folder on the box is read-only.',
    nextStep: 'Push into a folder on another disk, or find out why with “dmesg” on the box.',
  },
  'no-tar': {
    message: 'The box has no tar to unpack the code with.',
    nextStep: 'Install tar on the box, then plan again.',
  },
  'not-unpacked': { message: 'The box could not unpack the code as a whole.' },
  'in-the-way': {
    message: 'Something on the box is in the way: a file where a folder belongs, or the reverse.',
    nextStep: 'Move it away on the box, then plan again.',
  },
  'nothing-waits': { message: 'Another push to this folder has taken over.' },
};

/** Nothing was started then, and what a run needs may be there in part. */
export function pushRefused(because: string): Problem {
  const { message, ...more } = REFUSALS[because] ?? {
    message: 'The box did not say what became of the code.',
  };
  return problem('code-not-sent', `${message} Nothing was started.`, more);
}
