import { phraseOf, type Catalog } from '../detectors/alert-words.ts';

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

/** What the same failure means every time. Its name and its fixed answer (facts/principles.md §4) stand in the entry U3. */
export interface Failure {
  readonly id: FailureId;
  readonly retry: Retry;
  /** The entry of the catalog that tells more; null: there is none. */
  readonly entry: string | null;
}

export const failures: readonly Failure[] = [
  { id: 'hardware', retry: 'no', entry: 'U22' },
  { id: 'disk-full', retry: 'after the fix', entry: 'U6' },
  { id: 'host-memory', retry: 'after the fix', entry: 'U9' },
  { id: 'gpu-memory', retry: 'after the fix', entry: 'U10' },
  { id: 'environment', retry: 'after the fix', entry: 'U28' },
  { id: 'time-limit', retry: 'a few times', entry: 'SLURM2' },
  { id: 'hang-up', retry: 'after the fix', entry: 'GEN2' },
  { id: 'ended-by-signal', retry: 'a few times', entry: 'U3' },
  { id: 'code-or-config', retry: 'no', entry: null },
  { id: 'numbers', retry: 'no', entry: null },
  { id: 'collective-timeout', retry: 'after the fix', entry: 'MN3' },
  { id: 'network', retry: 'a few times', entry: 'AD1' },
  { id: 'transport', retry: 'no', entry: 'GEN8' },
];

/** What the entry calls it, and what it says to do. Where the entry lacks that: its id, and nothing. */
export function failureWords(
  catalog: Catalog,
  id: FailureId,
): { readonly title: string; readonly answer: string | null } {
  return {
    title: phraseOf(catalog, 'U3', `failure-${id}`) ?? id,
    answer: phraseOf(catalog, 'U3', `answer-${id}`),
  };
}
