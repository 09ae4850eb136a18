/** The classes of failures, the one that explains the others first. */
export const failureIds = [
  'hardware',
  'disk-full',
  'host-memory',
  'gpu-memory',
  'environment',
  'time-limit',
  'hang-up',
  'code-or-config',
  'numbers',
  'collective-timeout',
  'network',
  'transport',
] as const;
export type FailureId = (typeof failureIds)[number];

/** Whether the same run may be started again. Leasehold never does so by itself. */
export type Retry = 'no' | 'after the fix' | 'a few times';

/** A fixed answer (facts/principles.md §4): the same failure gets the same advice every time. */
export interface Failure {
  readonly id: FailureId;
  /** "This looks like: …" */
  readonly title: string;
  readonly answer: string;
  readonly retry: Retry;
  /** The first of them tells more; the signs of all of them are what is looked for. */
  readonly entries: readonly string[];
  /** What no entry of the catalog has for a sign. */
  readonly signs: readonly string[];
}

export const failures: readonly Failure[] = [
  {
    id: 'hardware',
    title: 'broken hardware',
    answer: 'Save what you can and replace the box; it is no bug of the code.',
    retry: 'no',
    entries: ['U22'],
    signs: [],
  },
  {
    id: 'disk-full',
    title: 'the disk is full, while something was saved',
    answer: 'Free scratch files that you name one by one, then resume.',
    retry: 'after the fix',
    entries: ['U6'],
    signs: [],
  },
  {
    id: 'host-memory',
    title: 'the host’s memory ran out, not the card’s',
    answer: 'Start fewer workers or share one copy of the data; do not shrink the batch.',
    retry: 'after the fix',
    entries: ['U9', 'SLURM4'],
    signs: [],
  },
  {
    id: 'gpu-memory',
    title: 'the card’s memory ran out',
    answer: 'Look who else holds the card, then make the batch smaller.',
    retry: 'after the fix',
    entries: ['U10'],
    signs: [],
  },
  {
    id: 'environment',
    title: 'driver, CUDA and torch do not fit, or the card is not attached',
    answer: 'Mend the environment; a retry meets the same one.',
    retry: 'after the fix',
    entries: ['U28', 'U31', 'RP9', 'U26'],
    signs: [],
  },
  {
    id: 'time-limit',
    title: 'the scheduler ended it at its time limit',
    answer: 'Resume from the last checkpoint that loads, with the same configuration.',
    retry: 'a few times',
    entries: ['SLURM2'],
    signs: ['DUE TO PREEMPTION'],
  },
  {
    id: 'hang-up',
    title: 'it hung off a connection that ended',
    answer: 'Start it detached (tmux), and resume.',
    retry: 'after the fix',
    entries: ['GEN2'],
    signs: [],
  },
  {
    id: 'code-or-config',
    title: 'a mistake in the code or its configuration',
    answer: 'Find the cause first; the same run fails the same way.',
    retry: 'no',
    entries: ['U27'],
    signs: ['error: unrecognized arguments', 'error: the following arguments are required'],
  },
  {
    id: 'numbers',
    title: 'numbers that are none any more',
    answer:
      'It is not the machine; never start it again blindly. What to change is your judgement.',
    retry: 'no',
    entries: [],
    signs: ['loss nan', 'loss=nan', 'loss: nan', 'Loss is nan', 'NaN or Inf found', 'contains nan'],
  },
  {
    id: 'collective-timeout',
    title: 'a rank that waited for another one',
    answer: 'Look for the first rank that went quiet: this line hides what it died of.',
    retry: 'after the fix',
    entries: ['MN3'],
    signs: [],
  },
  {
    id: 'network',
    title: 'something outside could not be reached',
    answer: 'Start the same configuration again, a few times at most; then look at the route.',
    retry: 'a few times',
    entries: ['AD1', 'AD2', 'NB3', 'GS2'],
    signs: [],
  },
  {
    id: 'transport',
    title: 'the connection to the box, which says nothing about the run',
    answer: 'Connect again and look at process, log and checkpoints before any verdict.',
    retry: 'no',
    entries: ['GEN8', 'U12'],
    signs: [],
  },
];
