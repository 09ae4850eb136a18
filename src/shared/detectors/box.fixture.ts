import { UNTOLD_DETAILS, type BoxGpuFacts, type GpuDetails } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';

/** A row in which nothing is told but what the test says. */
export function reading(told: Partial<GpuReading> = {}): GpuReading {
  return {
    index: 0,
    powerW: null,
    temperatureC: null,
    memoryTemperatureC: null,
    smPct: null,
    memPct: null,
    encoderPct: null,
    decoderPct: null,
    jpegPct: null,
    opticalFlowPct: null,
    memoryClockMHz: null,
    smClockMHz: null,
    powerViolationPct: null,
    isThermallyHeld: null,
    throttleBits: null,
    memoryUsedMiB: null,
    bar1UsedMiB: null,
    protectedMemoryUsedMiB: null,
    eccSingleBitErrors: null,
    eccDoubleBitErrors: null,
    pcieReplayErrors: null,
    pcieRxMBps: null,
    pcieTxMBps: null,
    boxTime: null,
    unknownColumns: null,
    ...told,
  };
}

/** A card of which nothing is told but what the test says. */
export function details(told: Partial<GpuDetails> = {}): GpuDetails {
  const index = told.index ?? 0;
  return {
    ...UNTOLD_DETAILS,
    index,
    uuid: `GPU-${index}`,
    name: 'NVIDIA H100 80GB HBM3',
    ...told,
  };
}

/** A look of the slow probe that could find out nothing but what the test says. */
export function facts(told: Partial<BoxGpuFacts> = {}): BoxGpuFacts {
  return {
    atMs: 0,
    vendor: 'nvidia',
    gpus: [],
    processes: { kind: 'unknown', because: 'not asked' },
    kernelLog: {
      outcome: { kind: 'cannot-rule-out', because: 'the kernel log is closed to this user' },
      events: [],
      source: null,
    },
    machine: {
      bootId: null,
      uptimeS: null,
      initStartTicks: null,
      clockOffsetMs: null,
      isContainer: null,
      cudaMaxVersion: null,
    },
    unknown: [],
    ...told,
  };
}
