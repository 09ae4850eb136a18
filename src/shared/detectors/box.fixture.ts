import { UNTOLD_DETAILS, type BoxGpuFacts, type GpuDetails } from '../telemetry/gpu-facts.ts';
import { UNTOLD_READING, type GpuReading } from '../telemetry/gpu-reading.ts';

/** A row in which nothing is told but what the test says. */
export function reading(told: Partial<GpuReading> = {}): GpuReading {
  return { index: 0, ...UNTOLD_READING, ...told };
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
    cpu: null,
    unknown: [],
    ...told,
  };
}
