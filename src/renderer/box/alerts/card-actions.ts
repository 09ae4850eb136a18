import type { DetectorId } from '../../../shared/detectors/finding.ts';

/** A process has memory or cards that another one lacks: the list of holders says which, and ends what the person names. */
export const CONCERNS_HOLDERS: ReadonlySet<DetectorId> = new Set(['U10', 'U11', 'GEN7']);

/** It is the machine, and only who rents it out can mend or change it: they want to see what was seen. */
export const CONCERNS_MACHINE: ReadonlySet<DetectorId> = new Set([
  'U22',
  'U23',
  'U31',
  'MN1',
  'RP1',
  'RP9',
  'VAST5',
  'PS11',
  'driver',
  'ecc',
  'pcie',
  'power-cap',
  'straggler',
]);

/** A secret stands where it must not: it goes into a file on the box, which is shown before it is written. */
export const CONCERNS_SECRETS: ReadonlySet<DetectorId> = new Set(['U34']);
