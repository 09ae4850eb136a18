import { describe, expect, it } from 'vitest';
import { noise } from '../probes/sample.fixture.ts';
import { decodeBuckets, encodeBuckets, type BoxBucket, type GpuBucket } from './history-codec.ts';
import { metrics, type Metric } from './reading-ring.ts';

const STEP = 10_000;

function randomBuckets(random: () => number): readonly BoxBucket[] {
  const whole = (below: number): number => Math.floor(random() * below);
  return Array.from({ length: 1 + whole(6) }, (_, i) => ({
    startMs: i * STEP,
    gpus: Array.from({ length: whole(9) }, (_gpu, slot): GpuBucket => {
      const values: Partial<Record<Metric, GpuBucket['values'][Metric]>> = {};
      for (const metric of metrics) {
        if (random() < 0.2) continue;
        const min = whole(random() < 0.1 ? 200_000 : 100);
        const max = random() < 0.3 ? min : min + whole(100);
        values[metric] = { min, mean: (min + max) / 2, max };
      }
      return { slot, count: whole(11), values: values as GpuBucket['values'] };
    }),
  }));
}

describe('encodeBuckets and decodeBuckets', () => {
  it('give back minimum and maximum exactly and the mean to half a step of its scale', () => {
    const random = noise(11);
    for (let round = 0; round < 200; round += 1) {
      const buckets = randomBuckets(random);
      const back = decodeBuckets(encodeBuckets(buckets, 0, STEP), 0, STEP);
      expect(back?.map(({ startMs }) => startMs)).toEqual(buckets.map(({ startMs }) => startMs));
      for (const [i, { gpus }] of buckets.entries()) {
        for (const [k, gpu] of gpus.entries()) {
          const read = back?.[i]?.gpus[k];
          expect([read?.slot, read?.count]).toEqual([gpu.slot, gpu.count]);
          for (const metric of metrics) {
            const [is, was] = [read?.values[metric], gpu.values[metric]];
            expect([is?.min, is?.max]).toEqual([was?.min, was?.max]);
            if (was !== undefined)
              expect(Math.abs((is?.mean ?? NaN) - was.mean)).toBeLessThan(0.51);
          }
        }
      }
    }
  });

  it('never turn "not reported" into 0, and 0 not into "not reported"', () => {
    const zero = { min: 0, mean: 0, max: 0 };
    const buckets = [{ startMs: 0, gpus: [{ slot: 0, count: 1, values: { smPct: zero } }] }];
    expect(decodeBuckets(encodeBuckets(buckets, 0, STEP), 0, STEP)).toEqual(buckets);
  });

  it('give back only what is wanted', () => {
    const buckets = randomBuckets(noise(5));
    const back = decodeBuckets(encodeBuckets(buckets, 0, STEP), 0, STEP, ['powerW']) ?? [];
    const names = back.flatMap(({ gpus }) => gpus.flatMap(({ values }) => Object.keys(values)));
    expect(new Set(names)).toEqual(new Set(['powerW']));
  });

  it('believe nothing of a record that was cut, has something behind it, or is of another format', () => {
    const bytes = encodeBuckets(randomBuckets(noise(3)), 0, STEP);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeBuckets(bytes.slice(0, length), 0, STEP)).toBeNull();
    }
    expect(decodeBuckets(Uint8Array.from([...bytes, 0]), 0, STEP)).toBeNull();
    expect(decodeBuckets(Uint8Array.from([2, ...bytes.slice(1)]), 0, STEP)).toBeNull();
  });

  it('end on any bytes, in bounded time', () => {
    const random = noise(17);
    for (let round = 0; round < 2000; round += 1) {
      const bytes = Uint8Array.from({ length: 40 }, () => Math.floor(random() * 256));
      bytes[0] = 1;
      const read = decodeBuckets(bytes, 0, STEP);
      expect(read === null || read.length <= 40).toBe(true);
    }
  });
});
