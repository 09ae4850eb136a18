import type { DetectorId } from '../../../shared/detectors/finding.ts';
import type { BoxTab } from '../../state/view.ts';

/** Where in the app one can look at what was found, or do what is to be done. Going there changes nothing. */
export interface FixPlace {
  readonly tab: BoxTab;
  readonly label: string;
}

const PROCESSES: FixPlace = { tab: 'overview', label: 'Show the processes' };
const CHARTS: FixPlace = { tab: 'overview', label: 'Show the charts' };
const RUNS: FixPlace = { tab: 'runs', label: 'Show the runs' };
const TEARDOWN: FixPlace = { tab: 'teardown', label: 'Go to Teardown' };

const PLACES: Partial<Readonly<Record<DetectorId, FixPlace>>> = {
  U3: RUNS,
  U6: RUNS,
  U9: RUNS,
  U35: RUNS,
  U37: RUNS,
  U43: RUNS,
  GEN6: RUNS,
  AD8: RUNS,
  GS2: RUNS,
  U10: PROCESSES,
  U11: PROCESSES,
  GEN7: PROCESSES,
  U21: CHARTS,
  U23: CHARTS,
  U24: CHARTS,
  U38: CHARTS,
  U40: CHARTS,
  pcie: CHARTS,
  'power-cap': CHARTS,
  straggler: CHARTS,
  idle: TEARDOWN,
};

export function fixPlaceOf(detector: DetectorId): FixPlace | null {
  return PLACES[detector] ?? null;
}
