import { lookDetectors } from '../patrol/detectors/catalog.ts';
import { isLookRule } from '../patrol/select-judged.ts';
import { driverBroken } from './driver-broken.ts';
import { memoryErrors } from './ecc-memory-errors.ts';
import { twoJobs } from './gen7-two-jobs.ts';
import { idleBox } from './idle-box.ts';
import { pcieDegraded } from './pcie-degraded.ts';
import { powerCap } from './power-cap.ts';
import { straggler } from './straggler.ts';
import { vanishedRun } from './u3-vanished-run.ts';
import { memoryPressure } from './u10-memory-pressure.ts';
import { hiddenHolder } from './u11-hidden-holder.ts';
import { busyButUnderfed } from './u21-busy-but-underfed.ts';
import { xid } from './u22-xid.ts';
import { throttled } from './u23-throttled.ts';
import { starved } from './u24-starved.ts';
import { noGpu } from './u31-no-gpu.ts';
import { cpuBound } from './u38-cpu-bound.ts';
import { threadStorm } from './u40-thread-storm.ts';
import type { BoxDetector, Detector, GpuDetector, PatrolDetector, RunDetector } from './view.ts';

/** Rules over readings and facts. A new one is its own file and a line here. */
export const liveDetectors: readonly (GpuDetector | BoxDetector | RunDetector)[] = [
  vanishedRun,
  xid,
  noGpu,
  driverBroken,
  throttled,
  memoryErrors,
  straggler,
  idleBox,
  threadStorm,
  starved,
  twoJobs,
  hiddenHolder,
  memoryPressure,
  pcieDegraded,
  busyButUnderfed,
  cpuBound,
  powerCap,
];

const liveIds = new Set<string>(liveDetectors.map(({ id }) => id));

/** Rules over a look, whose catalog is the patrol's. U22 asks the patrol by itself: it is one log that both read. */
export const patrolDetectors: readonly PatrolDetector[] = lookDetectors.flatMap(({ id }) =>
  isLookRule(id) && id !== 'U22' ? [{ id, scope: 'patrol', isBesideLive: liveIds.has(id) }] : [],
);

/** Every detector, each id once. */
export const detectors: readonly Detector[] = [
  ...liveDetectors,
  ...patrolDetectors.filter(({ isBesideLive }) => !isBesideLive),
];

export const gpuDetectors = liveDetectors.filter(
  (each): each is GpuDetector => each.scope === 'gpu',
);
export const boxDetectors = liveDetectors.filter(
  (each): each is BoxDetector => each.scope === 'box',
);
