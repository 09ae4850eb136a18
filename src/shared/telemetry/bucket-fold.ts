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
      if (!Number.isNaN(value)) addValues(gpu, i, value, value, value, 1);
    }
  }

  /** What a finer fold holds, as if its samples had been added here. */
  addFold(finer: BucketFold): void {
    for (const [slot, { count, min, max, sum, reported }] of finer.#gpus) {
      const gpu = this.#running(slot);
      gpu.count += count;
      for (let i = 0; i < metrics.length; i += 1) {
        addValues(
          gpu,
          i,
          min[i] as number,
          max[i] as number,
          sum[i] as number,
          reported[i] as number,
        );
      }
    }
  }

  /** A finished bucket of a finer tier. */
  addBucket({ gpus }: BoxBucket): void {
    for (const { slot, count, values } of gpus) {
      const gpu = this.#running(slot);
      gpu.count += count;
      for (let i = 0; i < metrics.length; i += 1) {
        const value = values[metrics[i] as Metric];
        if (value === undefined) continue;
        addValues(gpu, i, value.min, value.max, value.mean * count, count);
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

/** Plain figures, no object: this is done for each figure of each sample. */
function addValues(
  gpu: Running,
  place: number,
  min: number,
  max: number,
  sum: number,
  count: number,
): void {
  if (min < (gpu.min[place] as number)) gpu.min[place] = min;
  if (max > (gpu.max[place] as number)) gpu.max[place] = max;
  gpu.sum[place] = (gpu.sum[place] as number) + sum;
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
