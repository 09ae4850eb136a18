/** The classes of failures. */
export const failureIds = [
  'hardware',
  'disk-full',
  'host-memory',
  'gpu-memory',
  'environment',
  'time-limit',
  'hang-up',
  'ended-by-signal',
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
  /** The entry of the catalog that tells more; null: there is none. */
  readonly entry: string | null;
}

export const failures: readonly Failure[] = [
  {
    id: 'hardware',
    title: 'broken hardware',
    answer: 'Save what you can and replace the box; it is no bug of the code.',
    retry: 'no',
    entry: 'U22',
  },
  {
    id: 'disk-full',
    title: 'the disk is full, while something was saved',
    answer: 'Free scratch files that you name one by one, then resume.',
    retry: 'after the fix',
    entry: 'U6',
  },
  {
    id: 'host-memory',
    title: 'the host’s memory ran out, not the card’s',
    answer: 'Start fewer workers or share one copy of the data; do not shrink the batch.',
    retry: 'after the fix',
    entry: 'U9',
  },
  {
    id: 'gpu-memory',
    title: 'the card’s memory ran out',
    answer: 'Look who else holds the card, then make the batch smaller.',
    retry: 'after the fix',
    entry: 'U10',
  },
  {
    id: 'environment',
    title: 'driver, CUDA and torch do not fit, or the card is not attached',
    answer: 'Mend the environment; a retry meets the same one.',
    retry: 'after the fix',
    entry: 'U28',
  },
  {
    id: 'time-limit',
    title: 'the scheduler ended it: its time limit, or a preemption',
    answer: 'Resume from the last checkpoint that loads, with the same configuration.',
    retry: 'a few times',
    entry: 'SLURM2',
  },
  {
    id: 'hang-up',
    title: 'it hung off a connection that ended',
    answer: 'Start it detached (tmux), and resume.',
    retry: 'after the fix',
    entry: 'GEN2',
  },
  {
    id: 'ended-by-signal',
    title: 'it was told to end: by a preemption, a scheduler or a person',
    answer:
      'Find out who told it to; then resume from the last checkpoint, with the same configuration.',
    retry: 'a few times',
    entry: 'U3',
  },
  {
    id: 'code-or-config',
    title: 'a mistake in the code or its configuration',
    answer: 'Find the cause first; the same run fails the same way.',
    retry: 'no',
    entry: null,
  },
  {
    id: 'numbers',
    title: 'numbers that are none any more, or data that is not what it should be',
    answer:
      'It is not the machine; never start it again blindly. What to change is your judgement.',
    retry: 'no',
    entry: null,
  },
  {
    id: 'collective-timeout',
    title: 'a rank that waited for another one',
    answer: 'Look for the first rank that went quiet: this line hides what it died of.',
    retry: 'after the fix',
    entry: 'MN3',
  },
  {
    id: 'network',
    title: 'something outside could not be reached',
    answer: 'Start the same configuration again, a few times at most; then look at the route.',
    retry: 'a few times',
    entry: 'AD1',
  },
  {
    id: 'transport',
    title: 'the connection to the box, which says nothing about the run',
    answer: 'Connect again and look at process, log and checkpoints before any verdict.',
    retry: 'no',
    entry: 'GEN8',
  },
];
