import type { GpuModelName } from '../../../shared/demo/gpu-models.ts';

/**
 * What nvidia-smi says of a card beyond `GpuModel`. Recorded figures come from facts/nvidia.md §4 and the recordings; each
 * line marked "simulated" is a plausible number and no claim about the card.
 */
export interface CardDetails {
  /** The whole product name; older cards lack the vendor's. */
  readonly fullName: string;
  readonly brand: string;
  readonly architecture: string;
  readonly computeCapability: string;
  readonly minPowerW: number;
  readonly maxPowerW: number;
  readonly reservedMiB: number;
  readonly bar1TotalMiB: number;
  /** Null where the memory keeps its clock when idle (HBM). */
  readonly idleMemoryClockMHz: number | null;
  /** Share of the highest SM clock that full load keeps up. */
  readonly sustainedClockShare: number;
  /** The card stands at its power limit under full load: normal for small cards. */
  readonly isPowerCapped: boolean;
  readonly pcieGeneration: number;
  readonly hasFan: boolean;
  /** Core and memory temperatures, idle and at full load, on this box. */
  readonly coolC: readonly [idle: number, full: number];
  readonly memoryC: readonly [idle: number, full: number] | null;
  readonly limits: ThermalLimits;
  readonly remapHistogramMax: number | null;
  /** Sits on an NVSwitch board. */
  readonly hasFabric: boolean;
  readonly canMig: boolean;
  readonly vbios: string | null;
}

/** Newer data-center cards report margins to their limit, the others absolute temperatures. */
export interface ThermalLimits {
  readonly kind: 'margin' | 'absolute';
  readonly maxOperatingC: number;
  readonly slowdownC: number;
  readonly shutdownC: number;
  readonly memoryMaxC: number | null;
  readonly targetC: number | null;
}

const HOPPER_LIMITS: ThermalLimits = {
  kind: 'margin',
  maxOperatingC: 87,
  slowdownC: -2,
  shutdownC: -8,
  memoryMaxC: 0,
  targetC: null,
};

export const cardDetails: Readonly<Record<GpuModelName, CardDetails>> = {
  H200: {
    fullName: 'NVIDIA H200',
    brand: 'NVIDIA',
    architecture: 'Hopper',
    computeCapability: '9.0',
    minPowerW: 200,
    maxPowerW: 700,
    reservedMiB: 603, // simulated
    bar1TotalMiB: 262_144, // simulated
    idleMemoryClockMHz: null,
    sustainedClockShare: 1,
    isPowerCapped: false,
    pcieGeneration: 5,
    hasFan: false,
    coolC: [28, 54],
    memoryC: [34, 42], // idle is simulated
    limits: HOPPER_LIMITS,
    remapHistogramMax: 2560, // simulated: the H100's
    hasFabric: true,
    canMig: true,
    vbios: null,
  },
  'H100-80GB-HBM3': {
    fullName: 'NVIDIA H100 80GB HBM3',
    brand: 'NVIDIA',
    architecture: 'Hopper',
    computeCapability: '9.0',
    minPowerW: 200,
    maxPowerW: 700,
    reservedMiB: 479,
    bar1TotalMiB: 131_072,
    idleMemoryClockMHz: null,
    sustainedClockShare: 1,
    isPowerCapped: false,
    pcieGeneration: 5,
    hasFan: false,
    coolC: [41, 65],
    memoryC: [47, 59],
    limits: HOPPER_LIMITS,
    remapHistogramMax: 2560,
    hasFabric: true,
    canMig: true,
    vbios: '96.00.A5.00.01',
  },
  'A100-SXM4-80GB': {
    fullName: 'NVIDIA A100-SXM4-80GB',
    brand: 'NVIDIA',
    architecture: 'Ampere',
    computeCapability: '8.0',
    minPowerW: 100,
    maxPowerW: 400, // the recorded 500 W board says 500
    reservedMiB: 869,
    bar1TotalMiB: 131_072,
    idleMemoryClockMHz: null,
    sustainedClockShare: 1,
    isPowerCapped: false,
    pcieGeneration: 4,
    hasFan: false,
    coolC: [29, 58], // full load is simulated
    memoryC: [45, 62], // full load is simulated
    limits: {
      kind: 'absolute',
      maxOperatingC: 85,
      slowdownC: 89,
      shutdownC: 92,
      memoryMaxC: 95,
      targetC: null,
    },
    remapHistogramMax: 640, // simulated
    hasFabric: false,
    canMig: true,
    vbios: '92.00.36.00.02',
  },
  L40S: {
    fullName: 'NVIDIA L40S',
    brand: 'NVIDIA',
    architecture: 'Ada Lovelace',
    computeCapability: '8.9',
    minPowerW: 100,
    maxPowerW: 350,
    reservedMiB: 609,
    bar1TotalMiB: 65_536, // simulated
    idleMemoryClockMHz: 405,
    sustainedClockShare: 0.95, // simulated
    isPowerCapped: false,
    pcieGeneration: 4,
    hasFan: false,
    coolC: [36, 66], // simulated
    memoryC: null,
    limits: {
      kind: 'margin',
      maxOperatingC: 88,
      slowdownC: -2,
      shutdownC: -5,
      memoryMaxC: null,
      targetC: null,
    },
    remapHistogramMax: 192,
    hasFabric: false,
    canMig: false,
    vbios: '95.02.66.00.02',
  },
  'Tesla-T4': {
    fullName: 'Tesla T4',
    brand: 'NVIDIA',
    architecture: 'Turing',
    computeCapability: '7.5',
    minPowerW: 60,
    maxPowerW: 70,
    reservedMiB: 388,
    bar1TotalMiB: 256,
    idleMemoryClockMHz: 405,
    sustainedClockShare: 0.72, // simulated; that it falls at the power cap is facts §4
    isPowerCapped: true,
    pcieGeneration: 3,
    hasFan: false,
    coolC: [38, 72], // simulated
    memoryC: null,
    limits: {
      kind: 'absolute',
      maxOperatingC: 85,
      slowdownC: 93,
      shutdownC: 96,
      memoryMaxC: null,
      targetC: null,
    },
    remapHistogramMax: null,
    hasFabric: false,
    canMig: false,
    vbios: null,
  },
  'GeForce-RTX-4090': {
    fullName: 'NVIDIA GeForce RTX 4090',
    brand: 'GeForce',
    architecture: 'Ada Lovelace',
    computeCapability: '8.9',
    minPowerW: 150,
    maxPowerW: 600,
    reservedMiB: 520, // simulated
    bar1TotalMiB: 32_768, // simulated
    idleMemoryClockMHz: 405, // simulated
    sustainedClockShare: 0.87, // simulated
    isPowerCapped: false,
    pcieGeneration: 4,
    hasFan: true,
    coolC: [33, 68], // simulated
    memoryC: null,
    limits: {
      kind: 'margin',
      maxOperatingC: 85, // simulated
      slowdownC: -2,
      shutdownC: -7,
      memoryMaxC: null,
      targetC: 83,
    },
    remapHistogramMax: null,
    hasFabric: false,
    canMig: false,
    vbios: null,
  },
  'GeForce-RTX-3090': {
    fullName: 'NVIDIA GeForce RTX 3090',
    brand: 'GeForce',
    architecture: 'Ampere',
    computeCapability: '8.6',
    minPowerW: 100, // simulated
    maxPowerW: 375,
    reservedMiB: 448, // simulated
    bar1TotalMiB: 256, // simulated
    idleMemoryClockMHz: 405, // simulated
    sustainedClockShare: 0.86, // simulated
    isPowerCapped: false,
    pcieGeneration: 4,
    hasFan: true,
    coolC: [31, 66], // simulated
    memoryC: null,
    limits: {
      kind: 'absolute',
      maxOperatingC: 93,
      slowdownC: 95,
      shutdownC: 98,
      memoryMaxC: null,
      targetC: 83,
    },
    remapHistogramMax: null,
    hasFabric: false,
    canMig: false,
    vbios: null,
  },
};
