import { describe, expect, it } from 'vitest';
import { judgeFreshness } from './freshness.ts';

const at = (iso: string): number => Date.parse(iso);

describe('judgeFreshness', () => {
  it.each([
    ['2026-06-01T00:00:00Z', 'fresh', 0],
    ['2026-11-30T23:59:59Z', 'fresh', 5],
    ['2026-12-01T00:00:00Z', 'stale', 6],
    ['2028-06-15T00:00:00Z', 'stale', 24],
  ])('at %s calls 2026-06 %s after %d months', (now, kind, months) => {
    expect(judgeFreshness('2026-06', at(now), 6)).toEqual({ kind, months });
  });

  it('believes neither a stamp from the future nor a clock that is wrong', () => {
    expect(judgeFreshness('2026-06', at('2026-05-31T23:59:59Z'), 6)).toEqual({ kind: 'future' });
    expect(judgeFreshness('2026-06', Number.NaN, 6)).toEqual({ kind: 'future' });
    expect(judgeFreshness('soon', at('2026-06-01T00:00:00Z'), 6)).toEqual({ kind: 'future' });
  });

  it('has no age for what is true of any machine', () => {
    expect(judgeFreshness(null, at('2099-01-01T00:00:00Z'), 6)).toEqual({ kind: 'general' });
  });
});
