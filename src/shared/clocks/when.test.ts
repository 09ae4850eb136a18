import { describe, expect, it } from 'vitest';
import { judgeSkew } from './skew.ts';
import { formatCountdown, formatWhen } from './when.ts';

const at = (iso: string): number => Date.parse(iso);

describe('formatWhen and formatCountdown', () => {
  it('tell the hour that summer time takes in the date, not in the time left', () => {
    const end = at('2026-03-29T01:30:00Z');
    expect(formatWhen(end, 'Europe/Berlin')).toBe('Sun 29 Mar 2026, 03:30 GMT+2');
    expect(formatWhen(end - 3_600_000, 'Europe/Berlin')).toBe('Sun 29 Mar 2026, 01:30 GMT+1');
    expect(formatCountdown(end - (end - 3_600_000))).toBe('1 h');
  });

  it('tell the hour that comes twice apart', () => {
    const first = at('2026-10-25T00:30:00Z');
    expect(formatWhen(first, 'Europe/Berlin')).toBe('Sun 25 Oct 2026, 02:30 GMT+2');
    expect(formatWhen(first + 3_600_000, 'Europe/Berlin')).toBe('Sun 25 Oct 2026, 02:30 GMT+1');
  });

  it('tell one instant in the zone of whoever reads', () => {
    const end = at('2026-11-01T05:30:00Z');
    expect(formatWhen(end, 'Asia/Shanghai')).toBe('Sun 1 Nov 2026, 13:30 GMT+8');
    expect(formatWhen(end, 'America/New_York')).toBe('Sun 1 Nov 2026, 01:30 GMT-4');
    expect(formatWhen(end, 'Asia/Kathmandu')).toBe('Sun 1 Nov 2026, 11:15 GMT+5:45');
  });

  it.each([
    [15 * 86_400_000, '15 d'],
    [3 * 86_400_000 + 4 * 3_600_000 + 12 * 60_000 + 59_999, '3 d 4 h'],
    [2 * 3_600_000 + 54 * 60_000, '2 h 54 min'],
    [3_599_999, '59 min 59 s'],
    [0, '0 s'],
    [-61_000, '–1 min 1 s'],
  ])('counts %d down as %s', (left, text) => {
    expect(formatCountdown(left)).toBe(text);
  });
});

describe('judgeSkew', () => {
  it.each([
    [null, 'unknown'],
    [Number.NaN, 'unknown'],
    [5000, 'fine'],
    [-5000, 'fine'],
    [5001, 'off'],
    [-3_600_000, 'off'],
    [86_400_000, 'absurd'],
    [-56 * 365 * 86_400_000, 'absurd'],
  ])('calls %d %s', (offset, kind) => {
    expect(judgeSkew(offset).kind).toBe(kind);
  });
});
