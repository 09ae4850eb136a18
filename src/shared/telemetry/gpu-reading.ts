/**
 * One GPU's row of one sample. Every figure may be null: not reported by this driver, refused this time, or absent from
 * the layout. Missing is missing, never 0.
 */
export interface GpuReading {
  /** dmon's own index: good inside one stream only, a GPU is its UUID (facts/nvidia.md, rule 3). */
  readonly index: number;
  readonly powerW: number | null;
  readonly temperatureC: number | null;
  /** HBM; null on cards without that sensor. */
  readonly memoryTemperatureC: number | null;
  /** Share of time in which some kernel ran; null under MIG. */
  readonly smPct: number | null;
  /** Share of time in which the memory was busy, at its current clock; not how full it is. */
  readonly memPct: number | null;
  readonly encoderPct: number | null;
  readonly decoderPct: number | null;
  readonly jpegPct: number | null;
  readonly opticalFlowPct: number | null;
  readonly memoryClockMHz: number | null;
  readonly smClockMHz: number | null;
  /** Share of time since the last sample in which power held the clock down. */
  readonly powerViolationPct: number | null;
  readonly isThermallyHeld: boolean | null;
  /** Why the clock is held, as NVML's bits (throttle.ts). Only the looped query asks each second; dmon cannot. */
  readonly throttleBits: number | null;
  /** `fb`: used frame buffer; its total comes from the slow facts. */
  readonly memoryUsedMiB: number | null;
  readonly bar1UsedMiB: number | null;
  readonly protectedMemoryUsedMiB: number | null;
  readonly eccSingleBitErrors: number | null;
  readonly eccDoubleBitErrors: number | null;
  /** `pci`: replay errors, not throughput. */
  readonly pcieReplayErrors: number | null;
  readonly pcieRxMBps: number | null;
  readonly pcieTxMBps: number | null;
  /** The box's local time as printed with `-o`, without a zone; null without that flag. */
  readonly boxTime: string | null;
  /** Columns that this version does not know, by name, as printed; null when there are none. */
  readonly unknownColumns: Readonly<Record<string, string>> | null;
}

/** A reading that tells nothing yet: what its source knows is laid over it. */
export const UNTOLD_READING: Omit<GpuReading, 'index'> = {
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
};
