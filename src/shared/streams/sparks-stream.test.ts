import { describe, expect, it } from 'vitest';
import { NO_SPARKS, SPARK_MINUTES, sparksStream, type SparkMinute } from './sparks-stream.ts';

const after = (...minutes: readonly (readonly SparkMinute[] | null)[]) =>
  minutes.reduce(
    (state, each) => sparksStream.apply(state, { boxId: 'a', minutes: each }),
    NO_SPARKS,
  ).boxes['a'];

describe('sparksStream', () => {
  it('puts minutes in their places, with what is missing as missing', () => {
    expect(after([{ minute: 10, smPct: 5 }], [{ minute: 13, smPct: 0 }])).toEqual({
      lastMinute: 13,
      smPct: [5, null, null, 0],
    });
  });

  it('takes an older past that is read later', () => {
    expect(after([{ minute: 12, smPct: 7 }], [{ minute: 10, smPct: 1 }])).toEqual({
      lastMinute: 12,
      smPct: [1, null, 7],
    });
  });

  it('keeps an hour, also after a clock that jumped', () => {
    const minutes = Array.from({ length: 80 }, (_none, minute) => ({ minute, smPct: minute }));
    const spark = after(minutes);
    expect(spark?.smPct).toHaveLength(SPARK_MINUTES);
    expect(spark?.smPct.at(-1)).toBe(79);
    expect(after(minutes, [{ minute: 1_000_000, smPct: 3 }])?.smPct).toEqual([
      ...Array.from({ length: SPARK_MINUTES - 1 }, () => null),
      3,
    ]);
  });

  it('forgets a box, and nothing of nothing is nothing', () => {
    expect(after([{ minute: 1, smPct: 1 }], null)).toBeUndefined();
    expect(after([])).toBeUndefined();
  });
});
