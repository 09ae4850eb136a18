import type { Severity } from '../detectors/finding.ts';
import { failures, type FailureId } from '../triage/failures.ts';
import type { VanishCause, VanishStep } from './judge-vanished.ts';

/** What became of a run, after "it is gone: ". */
export const VANISH_WORDS: Readonly<Record<VanishCause, string>> = {
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

/** The same, with what its log says that went wrong. */
export function vanishWordsOf(cause: VanishCause, failure: FailureId | null): string {
  const said = cause === 'own-error' ? failures.find(({ id }) => id === failure) : undefined;
  return said === undefined ? VANISH_WORDS[cause] : `${VANISH_WORDS[cause]}, ${said.title}`;
}

/** Of a run that is gone; who ended one by hand knows it, and a scheduler’s end was foreseen. */
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
  killed: 'warn',
};

/** A run of which nothing is proven may have ended as it should, above all one without a GPU. */
export function vanishSeverity(cause: VanishCause | null, holdsGpu: boolean): Severity {
  return cause === null ? (holdsGpu ? 'warn' : 'info') : SEVERITY[cause];
}

/** Proven by a line of the run's own log, which is then all that the step says. */
export function isByLog({ cause, verdict }: Pick<VanishStep, 'cause' | 'verdict'>): boolean {
  return verdict === 'proven' && BY_LOG.has(cause);
}
const BY_LOG: ReadonlySet<VanishCause> = new Set(['disk-full', 'own-error', 'hang-up', 'killed']);

/** One step of the catalog, word for word, or of the rules for triage. */
export interface Remedy {
  readonly step: string;
  /** The entry that it is from, or that tells more; null: the rules for triage. */
  readonly gotcha: string | null;
}

const RESUME: Remedy = {
  gotcha: 'GEN6',
  step: 'Make resume idempotent so the same command continues',
};
const LOAD_LATEST: Remedy = {
  gotcha: 'MN5',
  step: 'Begin each launch by loading the latest state',
};

/**
 * What is to be done about each end of a run, fixed beforehand. None of them starts anything by itself: the cause comes first,
 * and a run that is started again for an unproven one may end in the same way.
 */
export const REMEDIES: Readonly<Record<VanishCause | 'not-proven', readonly Remedy[]>> = {
  finished: [
    { gotcha: 'U33', step: 'Trust nothing until a local pull is verified' },
    { gotcha: 'GEN1', step: 'Make teardown a tracked final step' },
  ],
  reboot: [RESUME, LOAD_LATEST],
  'container-restart': [RESUME, LOAD_LATEST],
  walltime: [
    {
      gotcha: 'SLURM2',
      step: 'Ask for lead time = measured save time + 60 s slack or more (example: 360 s)',
    },
    { gotcha: 'SLURM2', step: 'Save periodically too' },
    LOAD_LATEST,
  ],
  preempted: [
    { gotcha: 'VAST4', step: 'Checkpoint on a timer from the cadence formula' },
    LOAD_LATEST,
  ],
  'out-of-memory': [
    {
      gotcha: 'U9',
      step: 'Size workers from memory.max and per-worker resident memory, not from CPU count',
    },
    {
      gotcha: 'U9',
      step: 'Share one copy (memory map or module-level singleton) or build it on demand',
    },
    { gotcha: 'SLURM4', step: 'It is host memory: do not shrink the batch' },
  ],
  'gpu-fault': [
    { gotcha: 'U22', step: 'Stop debugging code' },
    { gotcha: 'U22', step: 'Save what can be saved' },
    { gotcha: 'U22', step: 'Stop this instance and rent a different one' },
  ],
  'disk-full': [
    {
      gotcha: 'U7',
      step: 'Name every deletion target and size and get a yes; offer growing the disk as the alternative',
    },
    {
      gotcha: 'U6',
      step: 'Recover: delete the temporary and rolling files, then resume the queue',
    },
  ],
  'own-error': [
    // facts/principles.md §4: a fault of code or configuration is investigated, and never retried.
    { gotcha: null, step: 'Find the cause in the code or the configuration before any new try' },
    { gotcha: 'U42', step: 'After syncing compare hashes of the changed files' },
  ],
  'hang-up': [
    {
      gotcha: 'GEN2',
      step: 'Start inside tmux (or nohup/setsid with stdin closed) before the long run',
    },
    LOAD_LATEST,
  ],
  killed: [
    {
      gotcha: 'U3',
      step: 'Ask whether the job was detached and whether anyone ran a kill',
    },
    { gotcha: 'U1', step: 'Open a second connection and list what still runs' },
  ],
  'not-proven': [
    { gotcha: 'U3', step: 'Look at GPU memory: idle means died, in use means hung' },
    {
      gotcha: 'U3',
      step: 'Ask whether the job was detached and whether anyone ran a kill',
    },
    { gotcha: 'U3', step: 'Do not shrink the batch for an OOM nobody proved' },
  ],
};

/** The same, with the fixed answer to what the run's own log says that went wrong in place of that to any error. */
export function remediesOf(
  cause: VanishCause | null,
  failure: FailureId | null,
): readonly Remedy[] {
  const said = failures.find(({ id }) => id === failure);
  if (cause !== 'own-error' || said === undefined || said.id === 'code-or-config') {
    return REMEDIES[cause ?? 'not-proven'];
  }
  return [{ gotcha: said.entry, step: said.answer }];
}
