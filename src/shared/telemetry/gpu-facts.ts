import type { Problem } from '../problem.ts';
import type { CpuLook } from './cpu-look.ts';
import type { KernelGpuEvent, KernelLogOutcome } from '../probes/xid.ts';

/**
 * Which card is meant, also in the history: its UUID, or `#<index>` on a box that does not tell one. The index alone
 * changes when a card is lost or the box reboots (facts/nvidia.md, rule 3).
 */
export type GpuKey = string;

export function gpuKeyOf(index: number, uuid: string | null): GpuKey {
  return uuid ?? `#${String(index)}`;
}

/** SECURITY: no machine has as many cards, but a box may make up ever other ones, and each is compared, kept and shown. */
export const MAX_BOX_GPUS = 64;

/** In a text that leaves the names of its cards out. */
export const NAME_NOT_TOLD = 'not told';

/** What the fleet shows of one GPU. */
export interface GpuFacts {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly driverVersion: string | null;
  readonly memoryTotalMiB: number | null;
  readonly powerLimitW: number | null;
  readonly maxSmClockMHz: number | null;
}

/** Yes, no, or not told. */
export type Tristate = boolean | null;

/** Microseconds for which each reason held the clock, since the driver was loaded. Differences are what counts. */
export interface ThrottleCounters {
  readonly powerCapUs: number | null;
  readonly thermalUs: number | null;
  readonly hardwareThermalUs: number | null;
  readonly powerBrakeUs: number | null;
  readonly syncBoostUs: number | null;
}

/** A part that MIG makes of a card. It is no GPU: power, temperature and clocks are the card's (facts/nvidia.md §1.2). */
export interface MigPart {
  /** Its number among the parts of its card. */
  readonly device: number | null;
  /** Parts of one GPU instance share its memory: not to be added up. */
  readonly gpuInstance: number | null;
  /** `3g.40gb` */
  readonly profile: string | null;
  readonly memoryUsedMiB: number | null;
  readonly memoryTotalMiB: number | null;
}

/** Everything that the slow probe asks of one GPU. Null: not told by this driver or card. */
export interface GpuDetails extends GpuFacts {
  /** As `normalPciAddress` writes it. */
  readonly pciAddress: string | null;
  readonly vbiosVersion: string | null;
  readonly pstate: string | null;
  readonly memoryUsedMiB: number | null;
  readonly memoryReservedMiB: number | null;
  readonly powerDrawW: number | null;
  readonly defaultPowerLimitW: number | null;
  readonly enforcedPowerLimitW: number | null;
  readonly minPowerLimitW: number | null;
  readonly maxPowerLimitW: number | null;
  readonly smClockMHz: number | null;
  readonly maxMemoryClockMHz: number | null;
  /** `clocks.applications.graphics` by default: the nearest to a base clock that nvidia-smi tells. */
  readonly defaultSmClockMHz: number | null;
  /** Where the card gives temperatures as such. */
  readonly slowdownTemperatureC: number | null;
  readonly maxOperatingTemperatureC: number | null;
  readonly temperatureC: number | null;
  /** Degrees left to the highest operating temperature, where the card gives margins instead. */
  readonly temperatureMarginC: number | null;
  /** Null: not told under either name of the field. */
  readonly throttleBits: number | null;
  readonly throttleCounters: ThrottleCounters;
  readonly eccMode: string | null;
  readonly eccCorrectedVolatile: number | null;
  readonly eccUncorrectedVolatile: number | null;
  readonly eccUncorrectedAggregate: number | null;
  readonly isSramThresholdExceeded: Tristate;
  readonly remappedCorrectable: number | null;
  readonly remappedUncorrectable: number | null;
  readonly isRemapPending: Tristate;
  readonly hasRemapFailed: Tristate;
  readonly retiredPagesPending: Tristate;
  /** The driver's own advice: "None", "GPU Reset", "Node Reboot" … */
  readonly recoveryAction: string | null;
  /** `fabric.state` and `fabric.status`; only a box with NVSwitch has one. */
  readonly fabricState: string | null;
  readonly fabricStatus: string | null;
  readonly pcieGenCurrent: number | null;
  readonly pcieGenMax: number | null;
  readonly pcieWidthCurrent: number | null;
  readonly pcieWidthMax: number | null;
  readonly migMode: string | null;
  /** The parts that MIG makes of this card; null: not told, or MIG is off. */
  readonly migParts: readonly MigPart[] | null;
  readonly persistenceMode: string | null;
  /** Words in place of values, as nvidia-smi prints them for a card that is in trouble: "GPU is lost" … */
  readonly trouble: string | null;
}

/** One compute process on one GPU. */
export interface GpuProcess {
  readonly gpu: GpuKey;
  readonly pid: number;
  /** As nvidia-smi names it. */
  readonly name: string;
  readonly memoryMiB: number | null;
  /** From the box's process table; null where it does not show this process, as across container borders. */
  readonly user: string | null;
  readonly command: string | null;
  readonly ageS: number | null;
}

/** What could be learnt of processes. An empty list with memory in use means that the holder is not visible. */
export type ProcessesLook =
  | { readonly kind: 'known'; readonly processes: readonly GpuProcess[] }
  | { readonly kind: 'unknown'; readonly because: string };

/** The kernel log since the boot, as far as it can be read. Unreadable never means "none". */
export interface KernelLogLook {
  readonly outcome: KernelLogOutcome;
  /** The newest ones, oldest first. */
  readonly events: readonly KernelGpuEvent[];
  readonly source: 'dmesg' | 'journalctl' | null;
}

/** The machine under the GPUs: what tells a reboot and a clock that was set. */
export interface MachineFacts {
  readonly bootId: string | null;
  readonly uptimeS: number | null;
  /** When process 1 began, in clock ticks since the boot: a restarted container keeps its boot id. */
  readonly initStartTicks: number | null;
  /** The box's clock minus this machine's, at the middle of the question. */
  readonly clockOffsetMs: number | null;
  readonly isContainer: Tristate;
  readonly cudaMaxVersion: string | null;
}

/** One look of the slow probe. */
export interface BoxGpuFacts {
  readonly atMs: number;
  /** `amd`: best effort, most is not told. */
  readonly vendor: 'nvidia' | 'amd';
  readonly gpus: readonly GpuDetails[];
  readonly processes: ProcessesLook;
  readonly kernelLog: KernelLogLook;
  readonly machine: MachineFacts;
  /** Null: the box tells nothing of its CPUs. */
  readonly cpu: CpuLook | null;
  /** What the probe could not find out although it ran, in words. */
  readonly unknown: readonly string[];
}

/** State of the stream `gpu-facts`. Old facts stay beside the problem that keeps new ones away: their age is `atMs`. */
export interface GpuFactsState {
  readonly facts: BoxGpuFacts | null;
  readonly problem: { readonly atMs: number; readonly problem: Problem } | null;
}

export const NO_GPU_FACTS: GpuFactsState = { facts: null, problem: null };

/** A card that tells nothing but which one it is. */
export const UNTOLD_DETAILS: Omit<GpuDetails, 'index' | 'uuid' | 'name'> = {
  driverVersion: null,
  memoryTotalMiB: null,
  powerLimitW: null,
  pciAddress: null,
  maxSmClockMHz: null,
  vbiosVersion: null,
  pstate: null,
  memoryUsedMiB: null,
  memoryReservedMiB: null,
  powerDrawW: null,
  defaultPowerLimitW: null,
  enforcedPowerLimitW: null,
  minPowerLimitW: null,
  maxPowerLimitW: null,
  smClockMHz: null,
  maxMemoryClockMHz: null,
  defaultSmClockMHz: null,
  slowdownTemperatureC: null,
  maxOperatingTemperatureC: null,
  temperatureC: null,
  temperatureMarginC: null,
  throttleBits: null,
  throttleCounters: {
    powerCapUs: null,
    thermalUs: null,
    hardwareThermalUs: null,
    powerBrakeUs: null,
    syncBoostUs: null,
  },
  eccMode: null,
  eccCorrectedVolatile: null,
  eccUncorrectedVolatile: null,
  eccUncorrectedAggregate: null,
  isSramThresholdExceeded: null,
  remappedCorrectable: null,
  remappedUncorrectable: null,
  isRemapPending: null,
  hasRemapFailed: null,
  retiredPagesPending: null,
  recoveryAction: null,
  fabricState: null,
  fabricStatus: null,
  pcieGenCurrent: null,
  pcieGenMax: null,
  pcieWidthCurrent: null,
  pcieWidthMax: null,
  migMode: null,
  migParts: null,
  persistenceMode: null,
  trouble: null,
};
