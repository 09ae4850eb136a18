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
import type { BoxDetector, Detector, GpuDetector } from './view.ts';

/** Every detector. A new one is its own file and a line here. */
export const detectors: readonly Detector[] = [
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

export const gpuDetectors = detectors.filter((each): each is GpuDetector => each.scope === 'gpu');
export const boxDetectors = detectors.filter((each): each is BoxDetector => each.scope === 'box');
