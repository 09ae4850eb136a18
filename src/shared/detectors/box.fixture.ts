import type { BoxGpuFacts, GpuDetails } from '../telemetry/gpu-facts.ts';
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
    index,
    uuid: `GPU-${index}`,
    name: 'NVIDIA H100 80GB HBM3',
    driverVersion: null,
    memoryTotalMiB: null,
    powerLimitW: null,
    maxSmClockMHz: null,
    pciAddress: null,
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
    persistenceMode: null,
    trouble: null,
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
