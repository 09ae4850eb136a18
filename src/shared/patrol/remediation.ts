import type { DetectorId, Severity } from '../detectors/finding.ts';
import { alertSteps, alertWords, type Catalog, type Step } from '../detectors/alert-words.ts';
import { phrase, says, type Phrase, type Says } from '../detectors/says.ts';
import { failures, type FailureId } from '../triage/failures.ts';
import type { VanishCause, VanishStep } from './judge-vanished.ts';

/** Each cause by its name, as a clue and a list of what could have ended a run have it: what was seen, not what it means (decision 34). */
export const VANISH_WORDS: Readonly<Record<VanishCause, string>> = {
  finished: 'it finished',
  reboot: 'the box was rebooted',
  'container-restart': 'the container was restarted',
  walltime: 'its time limit was reached',
  preempted: 'it was preempted',
  'out-of-memory': 'the host’s memory ran out',
  'gpu-fault': 'a card failed',
  'disk-full': 'the disk was full',
  'own-error': 'it ended with an error of its own',
  'hang-up': 'its SSH session closed',
  killed: 'it was killed by a signal (SIGTERM, SIGKILL or SIGINT)',
};

/** What was found of a cause, as it is said of each: "not proven" is no answer that a person can go by, "possible" is. */
export const VERDICT_WORDS: Readonly<Record<VanishStep['verdict'], string>> = {
  proven: 'confirmed',
  'not-proven': 'possible',
  'ruled-out': 'ruled out',
};

/** What became of a run, as the entry says it; that it crashed is said of what is proven alone. Until the entry is there: that it is gone. */
export function vanishHeadline(
  catalog: Catalog,
  cause: VanishCause | null,
  failure: FailureId | null,
): string {
  if (!catalog.has('U3')) return 'Run gone';
  const { headline } = alertWords(catalog, 'U3', {
    says: vanishSays(cause, failure),
    caveat: null,
  });
  return headline.replace(/\.$/, '');
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

/** What the entry says of a run's end, with what its log says that went wrong in place of what is said of any error. */
export function vanishSays(
  cause: VanishCause | null,
  failure: FailureId | null,
  alike: readonly DetectorId[] = [],
): Says {
  const [nearest] = alike;
  const said = endSays(cause, failure);
  return nearest === undefined ? said : { ...said, also: nearest };
}

function endSays(cause: VanishCause | null, failure: FailureId | null): Says {
  if (cause === null) return says('U3', 'not-proven');
  if (cause !== 'own-error') return says('U3', cause);
  if (failure === null) return says('U3', cause);
  const named = { failure: phrase('U3', `failure-${failure}`) };
  return failure === 'code-or-config'
    ? says('U3', 'own-failure', named)
    : says('U3', 'failure', { ...named, answer: phrase('U3', `answer-${failure}`) });
}

/** What was looked at and might have ended a run of which nothing is proven. */
export function notRuledOut(
  cause: VanishCause | null,
  steps: readonly VanishStep[],
): Phrase | null {
  const open = steps.filter(({ verdict }) => verdict === 'not-proven');
  if (cause !== null || open.length === 0) return null;
  return phrase('U3', 'not-ruled-out', { causes: open.map((step) => VANISH_WORDS[step.cause]) });
}

/**
 * What is to be done about the end of a run. No step starts anything by itself: the cause comes first, and a run that is started
 * again for an unproven one may end in the same way.
 */
export function vanishSteps(
  catalog: Catalog,
  cause: VanishCause | null,
  failure: FailureId | null,
  alike: readonly DetectorId[] = [],
): readonly Step[] {
  const said = vanishSays(cause, failure, alike);
  const named = said.variant === 'failure' ? failures.find(({ id }) => id === failure) : undefined;
  return alertSteps(catalog, 'U3', said).map(({ step, gotcha }) => ({
    step,
    gotcha: gotcha ?? named?.entry ?? null,
  }));
}
