import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  it('doubles from one second to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => backoffMs(attempt, 0.5))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('spreads by a fifth to both sides', () => {
    expect([backoffMs(3, 0), backoffMs(3, 1)]).toEqual([3200, 4800]);
  });
});
