import { phraseOf, type Catalog } from '../detectors/alert-words.ts';
import type { phrases } from '../detectors/says.ts';
import type { VanishCause } from '../patrol/judge-vanished.ts';
import { VANISH_WORDS } from '../patrol/remediation.ts';

interface CauseAdvice {
  /** The phrase of U3 that says what to do first: what a log's end is answered with, where that is the same. */
  readonly first: keyof (typeof phrases)['U3'];
  /** Entries of the catalog, whose fixes are quoted. */
  readonly entries: readonly string[];
}

/** The same cause gets the same advice every time. What Leasehold itself proves it by stands in judge-vanished.ts. */
const ADVICE: Readonly<Record<VanishCause, CauseAdvice>> = {
  finished: { first: 'answer-finished', entries: [] },
  reboot: { first: 'answer-reboot', entries: ['GEN6'] },
  'container-restart': { first: 'answer-container-restart', entries: ['GEN6'] },
  walltime: { first: 'answer-time-limit', entries: ['SLURM2'] },
  preempted: { first: 'answer-time-limit', entries: ['SLURM2'] },
  'out-of-memory': { first: 'answer-host-memory', entries: ['U9'] },
  'gpu-fault': { first: 'answer-hardware', entries: ['U22'] },
  'disk-full': { first: 'answer-disk-full', entries: ['U6', 'U7'] },
  'own-error': { first: 'answer-code-or-config', entries: ['U27'] },
  'hang-up': { first: 'answer-hang-up', entries: ['GEN2'] },
  killed: { first: 'answer-ended-by-signal', entries: ['U3'] },
};

/** "The box was rebooted" */
export const causeTitle = (cause: VanishCause): string =>
  VANISH_WORDS[cause].replace(/^./, (first) => first.toUpperCase());

/** What a person needs to know of one cause. Null: the entry is not there, or somebody's own one has no such words. */
export function causeWords(
  catalog: Catalog,
  cause: VanishCause,
): {
  /** How a person sees on the box that it was this. */
  readonly shows: string | null;
  readonly first: string | null;
  readonly entries: readonly string[];
} {
  const { first, entries } = ADVICE[cause];
  return {
    shows: phraseOf(catalog, 'U3', `shows-${cause}`),
    first: phraseOf(catalog, 'U3', first),
    entries,
  };
}
