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
const DISKS: FixPlace = { tab: 'facts', label: 'Show the disks' };
const TEARDOWN: FixPlace = { tab: 'teardown', label: 'Go to Teardown' };

const PLACES: Partial<Readonly<Record<DetectorId, FixPlace | readonly FixPlace[]>>> = {
  U3: RUNS,
  U2: RUNS,
  U6: DISKS,
  U7: DISKS,
  U9: RUNS,
  U35: RUNS,
  U37: RUNS,
  U43: RUNS,
  U16: RUNS,
  U26: RUNS,
  GEN2: RUNS,
  GEN6: RUNS,
  AD8: RUNS,
  GS2: RUNS,
  AD2: RUNS,
  AD6: RUNS,
  LAM7: RUNS,
  RP5: RUNS,
  MN3: RUNS,
  MN5: RUNS,
  MN6: RUNS,
  AD4: DISKS,
  AD5: DISKS,
  FZ3: DISKS,
  MP1: DISKS,
  RP11: DISKS,
  VAST10: DISKS,
  NB4: DISKS,
  CN1: DISKS,
  GS3: DISKS,
  SLURM5: DISKS,
  PS13: DISKS,
  U10: PROCESSES,
  U11: PROCESSES,
  GEN7: PROCESSES,
  U21: CHARTS,
  // Where the card is broken, what can be saved is brought home and the box ended.
  U22: [CHARTS, TEARDOWN],
  U23: CHARTS,
  U24: CHARTS,
  U38: CHARTS,
  U40: CHARTS,
  ecc: CHARTS,
  pcie: CHARTS,
  'power-cap': CHARTS,
  straggler: CHARTS,
  idle: TEARDOWN,
  GEN1: TEARDOWN,
};

export function fixPlacesOf(detector: DetectorId): readonly FixPlace[] {
  return [PLACES[detector] ?? []].flat();
}
