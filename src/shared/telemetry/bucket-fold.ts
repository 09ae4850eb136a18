import type { GpuReading } from './gpu-reading.ts';
import type { BoxBucket, BucketValue, GpuBucket } from './history-codec.ts';
import { metrics, valueOf, type Metric } from './reading-ring.ts';

interface Running {
  count: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly reported: Uint32Array;
}

/** Takes the samples of one bucket of a box and gives their minimum, mean and maximum. */
export class BucketFold {
  readonly startMs: number;
  readonly #gpus = new Map<number, Running>();

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  add(slot: number, reading: GpuReading): void {
    const gpu = this.#running(slot);
    gpu.count += 1;
    for (let i = 0; i < metrics.length; i += 1) {
      const value = valueOf(reading, metrics[i] as Metric);
      if (Number.isNaN(value)) continue;
      addValue(gpu, i, { min: value, mean: value, max: value }, 1);
    }
  }

  /** A finished bucket of a finer tier. */
  addBucket({ gpus }: BoxBucket): void {
    for (const { slot, count, values } of gpus) {
      const gpu = this.#running(slot);
      gpu.count += count;
      for (let i = 0; i < metrics.length; i += 1) {
        const value = values[metrics[i] as Metric];
        if (value !== undefined) addValue(gpu, i, value, count);
      }
    }
  }

  bucket(): BoxBucket {
    const gpus = [...this.#gpus].map(([slot, gpu]): GpuBucket => ({
      slot,
      count: gpu.count,
      values: valuesOf(gpu),
    }));
    return { startMs: this.startMs, gpus };
  }

  #running(slot: number): Running {
    const known = this.#gpus.get(slot);
    if (known !== undefined) return known;
    const begun: Running = {
      count: 0,
      min: new Float64Array(metrics.length).fill(Infinity),
      max: new Float64Array(metrics.length).fill(-Infinity),
      sum: new Float64Array(metrics.length),
      reported: new Uint32Array(metrics.length),
    };
    this.#gpus.set(slot, begun);
    return begun;
  }
}

function addValue(gpu: Running, place: number, value: BucketValue, count: number): void {
  gpu.min[place] = Math.min(gpu.min[place] as number, value.min);
  gpu.max[place] = Math.max(gpu.max[place] as number, value.max);
  gpu.sum[place] = (gpu.sum[place] as number) + value.mean * count;
  gpu.reported[place] = (gpu.reported[place] as number) + count;
}

function valuesOf({ min, max, sum, reported }: Running): GpuBucket['values'] {
  const values: Partial<Record<Metric, BucketValue>> = {};
  for (const [place, metric] of metrics.entries()) {
    const count = reported[place] as number;
    if (count === 0) continue;
    values[metric] = {
      min: min[place] as number,
      mean: (sum[place] as number) / count,
      max: max[place] as number,
    };
  }
  return values;
}

/** Two records of the same time as one: after a restart within a minute, or a clock that went back. */
export function mergeBuckets(
  a: readonly BoxBucket[],
  b: readonly BoxBucket[],
): readonly BoxBucket[] {
  const folds = new Map<number, BucketFold>();
  for (const bucket of [...a, ...b]) {
    let fold = folds.get(bucket.startMs);
    if (fold === undefined) folds.set(bucket.startMs, (fold = new BucketFold(bucket.startMs)));
    fold.addBucket(bucket);
  }
  return [...folds.values()]
    .map((fold) => fold.bucket())
    .sort((one, other) => one.startMs - other.startMs);
}
