import type { Metric } from './reading-ring.ts';
import { metrics } from './reading-ring.ts';

/** One GPU's figures in one bucket. A metric that nobody reported is not there. */
export interface GpuBucket {
  /** The number that the box's table of cards gives this card. */
  readonly slot: number;
  /** Samples in it. */
  readonly count: number;
  readonly values: Readonly<Partial<Record<Metric, BucketValue>>>;
}

export interface BucketValue {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** One bucket of a box: everything its GPUs said in it. */
export interface BoxBucket {
  readonly startMs: number;
  readonly gpus: readonly GpuBucket[];
}

/** The first byte of each record. Another number is a record that this version cannot read. */
const FORMAT = 1;

/**
 * What a figure is multiplied with before it is rounded: dmon prints whole numbers, only means have more. Changing one
 * needs a new format, and so does another order of `metrics`; a new metric at their end does not.
 */
const SCALES: Readonly<Record<Metric, number>> = {
  smPct: 10,
  memPct: 10,
  smClockMHz: 1,
  powerW: 10,
  temperatureC: 10,
  memoryTemperatureC: 10,
  memoryUsedMiB: 1,
  pcieRxMBps: 1,
  pcieTxMBps: 1,
  memoryClockMHz: 1,
  powerViolationPct: 10,
  isThermallyHeld: 1000,
};

/**
 * Consecutive buckets as bytes: for each GPU which metrics are there, which of those did not move, and their numbers at
 * 7 bits a byte, minimum and maximum as distances from the mean. A month of 8 GPUs has to fit into 25 MB.
 */
export function encodeBuckets(
  buckets: readonly BoxBucket[],
  firstMs: number,
  stepMs: number,
): Uint8Array {
  const out = new ByteWriter();
  const figures: number[] = [];
  out.byte(FORMAT);
  out.number(buckets.length);
  for (const { startMs, gpus } of buckets) {
    out.number((startMs - firstMs) / stepMs);
    out.number(gpus.length);
    for (const gpu of gpus) encodeGpu(out, gpu, figures);
  }
  return out.bytes();
}

const PLACES = [...metrics.entries()];

/** `figures`: used again for each card, as is `PLACES`: main does this for all boxes, and its garbage would cost more. */
function encodeGpu(out: ByteWriter, { slot, count, values }: GpuBucket, figures: number[]): void {
  let present = 0;
  let still = 0;
  figures.length = 0;
  for (const [place, metric] of PLACES) {
    const value = values[metric];
    if (value === undefined) continue;
    const scale = SCALES[metric];
    const mean = Math.round(value.mean * scale);
    const below = Math.max(0, mean - Math.round(value.min * scale));
    const above = Math.max(0, Math.round(value.max * scale) - mean);
    present |= 1 << place;
    figures.push(mean);
    if (below === 0 && above === 0) still |= 1 << place;
    else figures.push(below, above);
  }
  out.number(slot);
  out.number(count);
  out.number(present);
  out.number(still);
  for (const figure of figures) out.number(figure);
}

/**
 * Null: not a record of ours, or damaged. Nothing of it is believed then. Only the wanted metrics are given back, which
 * is what makes a long range quick.
 */
export function decodeBuckets(
  bytes: Uint8Array,
  firstMs: number,
  stepMs: number,
  wanted: readonly Metric[] = metrics,
): readonly BoxBucket[] | null {
  const isWanted = metrics.map((metric) => wanted.includes(metric));
  const from = new ByteReader(bytes);
  if (from.byte() !== FORMAT) return null;
  const buckets: BoxBucket[] = [];
  const bucketCount = from.number();
  for (let i = 0; i < bucketCount && from.isSound; i += 1) {
    const startMs = firstMs + from.number() * stepMs;
    const gpus: GpuBucket[] = [];
    const gpuCount = from.number();
    for (let k = 0; k < gpuCount && from.isSound; k += 1) gpus.push(decodeGpu(from, isWanted));
    buckets.push({ startMs, gpus });
  }
  return from.isSound && from.isAtEnd ? buckets : null;
}

function decodeGpu(from: ByteReader, isWanted: readonly boolean[]): GpuBucket {
  const slot = from.number();
  const count = from.number();
  const present = from.number();
  const still = from.number();
  const values: Partial<Record<Metric, BucketValue>> = {};
  for (const [place, metric] of PLACES) {
    if ((present & (1 << place)) === 0) continue;
    const scale = SCALES[metric];
    const mean = from.number();
    const isStill = (still & (1 << place)) !== 0;
    const below = isStill ? 0 : from.number();
    const above = isStill ? 0 : from.number();
    if (isWanted[place] !== true) continue;
    values[metric] = {
      min: (mean - below) / scale,
      mean: mean / scale,
      max: (mean + above) / scale,
    };
  }
  return { slot, count, values };
}

class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value);
  }

  /** A whole number from 0 to 2^53, 7 bits a byte, low ones first. */
  number(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  isSound = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    this.#at += 1;
    if (value !== undefined) return value;
    this.isSound = false;
    return 0;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 53; factor *= 0x80) {
      const byte = this.byte();
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
    }
    this.isSound = false;
    return 0;
  }
}
