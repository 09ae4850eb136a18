import type { Inspection } from '../../../shared/teardown/inspection.ts';

/** Of a box on which nothing is, and nothing is in the way of an end. */
export const SETTLED: Inspection = {
  atMs: 0,
  machine: null,
  runs: [],
  blockers: [],
  left: [],
  copies: '',
  copiesReadAtMs: null,
  digest: 'd',
};
