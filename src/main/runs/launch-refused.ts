import { plainLine } from '../../shared/questions/hostile-text.ts';
import { problem, type Problem } from '../../shared/problem.ts';

interface Refusal {
  readonly message: string;
  readonly nextStep?: string;
}

const ROOM_STEP = 'Free some space in your home folder on the box, then launch again.';
const REBOOT_STEP = 'Switch off “Start again after a restart of the box”, or plan the queue again.';
const ANEW_STEP = 'Plan the run again and launch it.';

/** Why the box launched nothing, by the words of run-launch.sh. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'no-folder': { message: 'The working folder does not exist on the box.' },
  'not-a-folder': { message: 'The working folder is a file, not a folder.' },
  'not-enterable': { message: "The working folder can't be entered: you have no permission." },
  'no-home': { message: 'Your account on the box has no home folder.' },
  'no-process-table': {
    message: 'The box hides its processes (/proc), so nothing could tell whether the run lives.',
  },
  'no-detacher': {
    message: 'What the plan starts the run with is not on the box any more.',
    nextStep: ANEW_STEP,
  },
  'not-writable': {
    message: "The run folder can't be created: ~/.local/state/leasehold/runs can't be written.",
  },
  'disk-full': { message: 'The disk of your home folder on the box is full.', nextStep: ROOM_STEP },
  'no-inodes': {
    message:
      'The disk of your home folder on the box has no inodes left, so no file can be created.',
    nextStep: 'Delete files in your home folder on the box, then launch again.',
  },
  quota: { message: 'Your disk quota on the box is used up.', nextStep: ROOM_STEP },
  'read-only': {
    message: 'The file system of your home folder on the box is read-only.',
    nextStep: 'Find out why with “dmesg” on the box; once it can be written again, launch again.',
  },
  resumed: {
    message: 'It was resumed meanwhile, from here or from another computer.',
    nextStep: 'Check the list of runs: the newest one goes on with it.',
  },
  'no-queue': { message: 'The folder of the run to go on after is not on the box any more.' },
  'crontab-unreadable': {
    message: "Your crontab on the box can't be read any more, so it was left as it is.",
    nextStep: REBOOT_STEP,
  },
  'crontab-not-written': {
    message: 'Your crontab on the box did not take the line. It is as it was.',
    nextStep: REBOOT_STEP,
  },
  'crontab-busy': {
    message: 'Another queue is changing your crontab on the box, which was left as it is.',
    nextStep: ANEW_STEP,
  },
  'crontab-not-restored': {
    message:
      'Your crontab on the box reads back as something else than was written, and it could not be put back as it was.',
    nextStep: 'Look at it with “crontab -l” on the box, and correct it there.',
  },
  'other-code': {
    message:
      'Other code was pushed into the working folder meanwhile, from here or from another computer. Nothing was started.',
    nextStep: ANEW_STEP,
  },
  'launch-busy': {
    message: "Another launch on this box hasn't finished. Nothing was started.",
    nextStep: 'Check the list of runs, then launch again.',
  },
  'cut-off': { message: 'Only a part of the launch arrived on the box.', nextStep: ANEW_STEP },
};

/** Whose run folder is taken: with the same plan nothing could be launched any more. */
const USED_UP: Readonly<Record<string, Refusal>> = {
  sealed: {
    message: 'The box did not start the run within ten seconds. It will not start any more.',
    nextStep: ANEW_STEP,
  },
  unsettled: {
    message: "The box didn't start the run in time, but it may still start.",
    nextStep: 'Check the list of runs before you launch it again.',
  },
  lost: {
    message:
      'The connection was lost before the box had the launch. Nothing was started, and nothing of it can start any more.',
    nextStep: ANEW_STEP,
  },
};

/** Planned before that run was there, and launched after it. */
export function placesTaken(name: string | null): Problem {
  const who = plainLine(name ?? '', 80);
  return problem(
    'run-not-launched',
    `${who === '' ? 'Another run' : `“${who}”`} was launched in the meantime and saves into the same folder. Nothing was started.`,
    { nextStep: 'Check the list of runs, then plan again.' },
  );
}

/** Whether the box has said that nothing of it ever starts. A word that nobody knows says nothing. */
export const neverBegins = (because: string): boolean =>
  because !== 'unsettled' && (Object.hasOwn(REFUSALS, because) || Object.hasOwn(USED_UP, because));

export const isUsedUp = (because: string): boolean => because in USED_UP;

export function launchRefused(because: string): Problem {
  const { message, ...more } = REFUSALS[because] ??
    USED_UP[because] ?? { message: 'The box did not say what became of the launch.' };
  return problem('run-not-launched', message, more);
}
