import type { VanishCause } from '../patrol/judge-vanished.ts';

export interface VanishAdvice {
  readonly title: string;
  /** How a person sees on the box that it was this. */
  readonly shows: string;
  readonly first: string;
  /** Entries of the catalog, whose fixes are quoted. */
  readonly entries: readonly string[];
}

/** The same cause gets the same advice every time. What Leasehold itself proves it by stands in judge-vanished.ts. */
export const vanishAdvice: Readonly<Record<VanishCause, VanishAdvice>> = {
  finished: {
    title: 'It finished',
    shows:
      'A marker (DONE…, ….done) that is newer than its start, or a tmux pane that kept exit code 0.',
    first: 'Do not start it again. Bring the results home and load them before the box goes.',
    entries: [],
  },
  reboot: {
    title: 'The machine was rebooted',
    shows: 'Another boot id than the one above; the box has been up for less time than the run.',
    first: 'Check that its disks are mounted, then resume with the same command.',
    entries: ['GEN6'],
  },
  'container-restart': {
    title: 'The container was restarted',
    shows: 'The same boot id, and process 1 started later than the run.',
    first:
      'Check that what lay outside the persistent folders is still there, then resume with the same command.',
    entries: ['GEN6'],
  },
  walltime: {
    title: 'The scheduler ended it at its time limit',
    shows: 'The scheduler’s own line at the end of the log.',
    first: 'Submit the same job again; it goes on from its last checkpoint that loads.',
    entries: ['SLURM2'],
  },
  preempted: {
    title: 'Its place was given to another',
    shows: 'The scheduler’s own line at the end of the log, or the platform’s page.',
    first: 'Submit the same job again; it goes on from its last checkpoint that loads.',
    entries: ['SLURM2'],
  },
  'out-of-memory': {
    title: 'The kernel ended it for want of memory',
    shows: 'oom_kill in /sys/fs/cgroup/memory.events is higher than when it was last seen.',
    first:
      'Start fewer workers or share one copy of the data; do not shrink the batch. Then resume.',
    entries: ['U9'],
  },
  'gpu-fault': {
    title: 'A card failed',
    shows: 'A line “NVRM: Xid” with 48, 79 or another fatal number in dmesg.',
    first: 'Save what you can and rent another box; it is no bug of the code.',
    entries: ['U22'],
  },
  'disk-full': {
    title: 'A disk was full',
    shows: 'df -h or df -i at 100 %; the log ends in a write that failed.',
    first: 'Free scratch files that you name one by one, then resume.',
    entries: ['U6', 'U7'],
  },
  'own-error': {
    title: 'It ended with an exception',
    shows: 'A traceback at the end of its log.',
    first: 'Find the cause first: the same run fails the same way.',
    entries: ['U27'],
  },
  'hang-up': {
    title: 'It hung off a connection that ended',
    shows: 'The log ends with a hang-up, or it was started in a plain SSH session.',
    first: 'Start it detached (tmux), with the same command.',
    entries: ['GEN2'],
  },
  killed: {
    title: 'Somebody ended it',
    shows: 'The log ends with “Killed” or “Terminated”, and the oom_kill counter has not risen.',
    first: 'Ask who ended it and why before it is started again.',
    entries: ['U3'],
  },
};
