import { line, type Severity } from '../../detectors/finding.ts';
import type { MissingRun, VanishCause } from '../judge-vanished.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';

/** U3: the ladder's answer. */
export const vanished: LookDetector = {
  id: 'U3',
  title: 'A vanished process has four possible causes; OOM is only one',
  judge({ look, before, missing }) {
    if (before === null) return [unknown('this is the first look')];
    if (missing.length > 0) return missing.map(judgeRun);
    return look.processes.isWhole ? [clear()] : [unknown('the box did not tell of its processes')];
  },
};

function judgeRun({ run, judgement }: MissingRun): LookAnswer {
  const subject = runSubject(run);
  if (judgement.kind === 'running') return clear(subject);
  if (judgement.kind === 'unknown') return unknown(judgement.because, subject);
  const { cause, steps } = judgement;
  if (cause === 'finished') return clear(subject);
  const open = steps.filter(({ verdict }) => verdict === 'not-proven');
  return {
    ...found(subject, {
      severity: cause === null ? 'warn' : SEVERITY[cause],
      headline: `A run is gone: ${cause === null ? 'why is not proven' : WORDS[cause]}.`,
      means:
        cause === null
          ? 'The log stops and the process is gone; nothing that could be looked at proves why.'
          : 'It did not finish: nothing shows that it did, and this shows why.',
      fix: cause === null ? OPEN_FIX : FIX[cause],
      evidence: [...steps]
        .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
        .map(({ cause: step, verdict, because }) =>
          line(`${VERDICT[verdict]}: ${WORDS[step]} (${because})`),
        ),
      caveat:
        cause === null && open.length > 0
          ? `Not proven, and not ruled out: ${open.map((step) => WORDS[step.cause]).join(', ')}.`
          : null,
    }),
    isEvent: true,
  };
}

const ORDER = ['proven', 'not-proven', 'ruled-out'] as const;
const VERDICT = {
  proven: 'proven',
  'not-proven': 'not proven',
  'ruled-out': 'ruled out',
} as const;

const WORDS: Readonly<Record<VanishCause, string>> = {
  finished: 'it finished',
  reboot: 'the box was rebooted',
  'container-restart': 'the container was restarted',
  walltime: 'its time limit was reached',
  preempted: 'the scheduler gave its place to another job',
  'out-of-memory': 'the host’s memory ran out',
  'gpu-fault': 'a card failed',
  'disk-full': 'the disk was full',
  'own-error': 'it ended with an error of its own',
  'hang-up': 'it hung off a connection that ended',
  killed: 'it was ended by a signal',
};

const SEVERITY: Readonly<Record<VanishCause, Severity>> = {
  finished: 'info',
  reboot: 'critical',
  'container-restart': 'critical',
  walltime: 'warn',
  preempted: 'warn',
  'out-of-memory': 'critical',
  'gpu-fault': 'critical',
  'disk-full': 'critical',
  'own-error': 'critical',
  'hang-up': 'critical',
  killed: 'warn', // most often by the person
};

const OPEN_FIX = [
  'Look at GPU memory: idle means died, in use means hung',
  'Ask whether the job was detached and whether anyone ran a kill',
  'Do not shrink the batch for an OOM nobody proved',
];
const RESUME = 'Resume from the last checkpoint that loads, with the same configuration';
const FIX: Readonly<Record<VanishCause, readonly string[]>> = {
  finished: ['Pull and verify the results'],
  reboot: [RESUME, 'Make resume idempotent so the same command continues'],
  'container-restart': [RESUME, 'Make resume idempotent so the same command continues'],
  walltime: [RESUME],
  preempted: [RESUME],
  'out-of-memory': [
    'Start fewer workers or share one copy of the data; do not shrink the batch',
    RESUME,
  ],
  'gpu-fault': [
    'Stop debugging code',
    'Save what can be saved',
    'Stop this instance and rent a different one',
  ],
  'disk-full': ['Free scratch files that you name one by one', RESUME],
  'own-error': ['Find the cause first; the same run fails the same way'],
  'hang-up': ['Start it detached (tmux)', RESUME],
  killed: ['Ask whether anyone ran a kill', RESUME],
};
