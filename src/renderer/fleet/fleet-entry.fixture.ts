import type { LinkState } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import { judgeLoad } from '../../shared/telemetry/box-load.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';

/** The time at which the sample entries were last seen. */
export const SEEN_MS = 1_000_000;

export function sampleReading(part: Partial<GpuReading> = {}): GpuReading {
  return {
    index: 0,
    powerW: 250,
    temperatureC: 55,
    memoryTemperatureC: 60,
    smPct: 70,
    memPct: 40,
    encoderPct: 0,
    decoderPct: 0,
    jpegPct: null,
    opticalFlowPct: null,
    memoryClockMHz: 1593,
    smClockMHz: 1395,
    powerViolationPct: 0,
    isThermallyHeld: false,
    throttleBits: null,
    memoryUsedMiB: 20480,
    bar1UsedMiB: 2,
    protectedMemoryUsedMiB: null,
    eccSingleBitErrors: 0,
    eccDoubleBitErrors: 0,
    pcieReplayErrors: 0,
    pcieRxMBps: 1200,
    pcieTxMBps: 300,
    boxTime: null,
    unknownColumns: null,
    ...part,
  };
}

export function sampleGpu(part: Partial<GpuFacts> = {}): GpuFacts {
  return {
    index: 0,
    uuid: 'GPU-00000000-0000-0000-0000-000000000000',
    name: 'NVIDIA A100-SXM4-80GB',
    driverVersion: '550.54.15',
    memoryTotalMiB: 81920,
    powerLimitW: 400,
    maxSmClockMHz: 1410,
    ...part,
  };
}

export const LINK_UP: LinkState = { kind: 'up', sinceMs: SEEN_MS - 240_000, latencyMs: 38 };

/** Of two busy GPUs, seen at SEEN_MS. */
export const SAMPLE_FIGURES: LatestFigures = foldReadings(SEEN_MS, [
  sampleReading({ smPct: 60 }),
  sampleReading({ index: 1, smPct: 80 }),
]);

/** A box that is up with the two GPUs of SAMPLE_FIGURES. */
export function sampleEntry(
  part: Partial<FleetEntry> = {},
  box: Partial<FleetEntry['box']> = {},
): FleetEntry {
  return {
    box: {
      id: '11111111-1111-4111-8111-111111111111',
      name: 'train-a',
      platform: 'generic-ssh',
      address: { host: 'host.example', port: 22, user: 'root' },
      ...USUAL_WAY,
      tags: [],
      addedAtMs: 0,
      ...box,
    },
    link: LINK_UP,
    telemetry: {
      kind: 'live',
      sinceMs: SEEN_MS - 200_000,
      source: 'dmon',
      unreadableLines: 0,
      unreadableSamples: [],
      refused: [],
      problem: null,
    },
    flavour: { kind: 'unknown' },
    gpus: [sampleGpu(), sampleGpu({ index: 1 })],
    load: judgeLoad(SAMPLE_FIGURES),
    ...part,
  };
}
