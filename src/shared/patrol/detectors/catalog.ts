import type { LookDetector } from '../look-detector.ts';
import { hiddenCache, sharedInodes } from './autodl-disks.ts';
import { environmentEnds } from './environment-ends.ts';
import { forgotten } from './gen1-forgotten.ts';
import { loginShell } from './gen2-login-shell.ts';
import { borrowedTorch, missingCudnn } from './lambda-libraries.ts';
import { triageList } from './ps13-triage-list.ts';
import { zeroGpus } from './rp1-zero-gpus.ts';
import { podNames } from './rp12-pod-names.ts';
import { scriptChanged } from './u2-script-changed.ts';
import { lostCheckpoints } from './lost-checkpoints.ts';
import { rewind } from './mn5-rewind.ts';
import { onTheCpu } from './u31-on-the-cpu.ts';
import { syncFailed } from './u33-sync-failed.ts';
import { secretInCommand } from './u34-secret-in-command.ts';
import { fixedDisk } from './vast10-fixed-disk.ts';
import { waitingEnds } from './waiting-ends.ts';
import { firstValidation } from './ad8-first-validation.ts';
import { cloudQuota } from './fz3-cloud-quota.ts';
import { reboot } from './gen6-reboot.ts';
import { droppedPoll } from './gen8-dropped-poll.ts';
import { leftProxy } from './gs2-left-proxy.ts';
import { snapshots } from './mp1-snapshots.ts';
import { containerDisk } from './rp11-container-disk.ts';
import { cudaMemory } from './u10-cuda-memory.ts';
import { oldWaiters } from './u16-old-waiters.ts';
import { kernelXid } from './u22-kernel-xid.ts';
import { vanished } from './u3-vanished.ts';
import { silentTracker } from './u35-silent-tracker.ts';
import { hugeImage } from './u37-huge-image.ts';
import { neighbours } from './u41-neighbours.ts';
import { silentLog } from './u43-silent-log.ts';
import { diskFull } from './u6-disk-full.ts';
import { inodesLow } from './u7-inodes-low.ts';
import { hostMemory } from './u9-host-memory.ts';

/** Every rule over a look. A new one is its own file and a line here. */
export const lookDetectors: readonly LookDetector[] = [
  droppedPoll,
  reboot,
  vanished,
  kernelXid,
  diskFull,
  inodesLow,
  sharedInodes,
  hiddenCache,
  containerDisk,
  cloudQuota,
  snapshots,
  hostMemory,
  firstValidation,
  cudaMemory,
  silentTracker,
  hugeImage,
  silentLog,
  leftProxy,
  oldWaiters,
  neighbours,
  forgotten,
  loginShell,
  secretInCommand,
  ...environmentEnds,
  onTheCpu,
  ...waitingEnds,
  rewind,
  syncFailed,
  ...lostCheckpoints,
  fixedDisk,
  zeroGpus,
  podNames,
  borrowedTorch,
  missingCudnn,
  scriptChanged,
  triageList,
];
