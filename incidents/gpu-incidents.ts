import { driverBroken } from './driver-broken.ts';
import { eccMemoryErrors } from './ecc-memory-errors.ts';
import { gen7TwoJobs } from './gen7-two-jobs.ts';
import { idleBox } from './idle-box.ts';
import { pcieDegraded } from './pcie-degraded.ts';
import { powerCap } from './power-cap.ts';
import { straggler } from './straggler.ts';
import { u10GpuMemory } from './u10-gpu-memory.ts';
import { u11Orphan } from './u11-orphan.ts';
import { u21BusyButUnderfed } from './u21-busy-but-underfed.ts';
import { u22Xid } from './u22-xid.ts';
import { u23Throttled } from './u23-throttled.ts';
import { u24Starved } from './u24-starved.ts';
import { u31NoGpu } from './u31-no-gpu.ts';
import { u38CpuBound } from './u38-cpu-bound.ts';
import { u40ThreadStorm } from './u40-thread-storm.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

/** Every labelled incident of the cards. A new one is a line in the file of its id. */
export const gpuIncidents: readonly GpuIncident[] = [
  ...u10GpuMemory,
  ...u11Orphan,
  ...u21BusyButUnderfed,
  ...u22Xid,
  ...u23Throttled,
  ...u24Starved,
  ...u31NoGpu,
  ...u38CpuBound,
  ...u40ThreadStorm,
  ...gen7TwoJobs,
  ...driverBroken,
  ...eccMemoryErrors,
  ...pcieDegraded,
  ...powerCap,
  ...straggler,
  ...idleBox,
];
