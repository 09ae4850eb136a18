import type { GpuModelName } from '../../../shared/demo/gpu-models.ts';

/** What the demo box's simulated card reports; figures from facts/nvidia.md §4 where it has them. */
export interface GpuModel {
  /** As nvidia-smi prints it, without the vendor. */
  readonly name: string;
  readonly memoryTotalMiB: number;
  readonly powerLimitW: number;
  readonly maxSmClockMHz: number;
  readonly memoryClockMHz: number;
  readonly idleSmClockMHz: number;
  readonly idlePowerW: number;
  readonly hasEcc: boolean;
  /** HBM cards report a memory temperature. */
  readonly hasMemorySensor: boolean;
}

/**
 * Limits and clocks are those of facts/nvidia.md §4. Memory sizes and idle figures are from its recordings; where there
 * is none the comment says "simulated": a plausible number that nobody measured, and no claim about the card.
 */
export const gpuModels: Readonly<Record<GpuModelName, GpuModel>> = {
  H200: {
    name: 'H200',
    memoryTotalMiB: 143_771,
    powerLimitW: 700,
    maxSmClockMHz: 1980,
    memoryClockMHz: 3201,
    idleSmClockMHz: 345,
    idlePowerW: 78,
    hasEcc: true,
    hasMemorySensor: true,
  },
  'H100-80GB-HBM3': {
    name: 'H100 80GB HBM3',
    memoryTotalMiB: 81_559,
    powerLimitW: 700,
    maxSmClockMHz: 1980,
    memoryClockMHz: 2619,
    idleSmClockMHz: 345,
    idlePowerW: 69,
    hasEcc: true,
    hasMemorySensor: true,
  },
  'A100-SXM4-80GB': {
    name: 'A100-SXM4-80GB',
    memoryTotalMiB: 81_920,
    powerLimitW: 400, // the usual board; the recorded one is a 500 W board
    maxSmClockMHz: 1410,
    memoryClockMHz: 1593,
    idleSmClockMHz: 210,
    idlePowerW: 62,
    hasEcc: true,
    hasMemorySensor: true,
  },
  L40S: {
    name: 'L40S',
    memoryTotalMiB: 46_068,
    powerLimitW: 350,
    maxSmClockMHz: 2520,
    memoryClockMHz: 9001,
    idleSmClockMHz: 210,
    idlePowerW: 37,
    hasEcc: true,
    hasMemorySensor: false,
  },
  'Tesla-T4': {
    name: 'Tesla T4',
    memoryTotalMiB: 15_360,
    powerLimitW: 70,
    maxSmClockMHz: 1590,
    memoryClockMHz: 5001,
    idleSmClockMHz: 300,
    idlePowerW: 10, // simulated
    hasEcc: true,
    hasMemorySensor: false,
  },
  'GeForce-RTX-4090': {
    name: 'GeForce RTX 4090',
    memoryTotalMiB: 24_564, // simulated
    powerLimitW: 450,
    maxSmClockMHz: 3105,
    memoryClockMHz: 10_501,
    idleSmClockMHz: 210, // simulated
    idlePowerW: 22, // simulated
    hasEcc: false,
    hasMemorySensor: false,
  },
  'GeForce-RTX-3090': {
    name: 'GeForce RTX 3090',
    memoryTotalMiB: 24_576, // simulated
    powerLimitW: 350,
    maxSmClockMHz: 2100,
    memoryClockMHz: 9751,
    idleSmClockMHz: 210, // simulated
    idlePowerW: 25, // simulated
    hasEcc: false,
    hasMemorySensor: false,
  },
};
