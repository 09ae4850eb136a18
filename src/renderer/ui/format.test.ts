import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatGiB,
  formatNumber,
  formatQuantity,
  formatRange,
  formatShare,
} from './format.ts';

const plain = (text: string): string => text.replace(/[\u202f\u00a0]/g, ' ');

describe('formatNumber', () => {
  it.each([
    [0, 0, '0'],
    [7, 0, '7'],
    [999.4, 0, '999'],
    [1365, 0, '1 365'],
    [11400, 0, '11 400'],
    [1234567.89, 1, '1 234 567.9'],
    [2, 1, '2.0'],
    [-1365, 0, '−1 365'],
    [-0.2, 0, '0'],
  ])('writes %d with %i decimals as %s', (value, decimals, expected) => {
    expect(plain(formatNumber(value, decimals))).toBe(expected);
  });

  it('keeps number and unit on one line', () => {
    expect(formatQuantity(1365, 'MHz')).toBe('1\u202f365\u00a0MHz');
  });
});

describe('figures', () => {
  it('writes unknown as unknown, and zero as zero', () => {
    expect(formatQuantity(null, '%')).toBe('not reported');
    expect(plain(formatQuantity(0, '%'))).toBe('0 %');
    expect(formatGiB(null)).toBe('not reported');
    expect(formatRange([], 'W')).toBe('not reported');
    expect(formatShare(null, 700, 'W')).toBe('not reported');
  });

  it('writes a share of a limit, and leaves an unknown limit out', () => {
    expect(plain(formatShare(452, 700, 'W'))).toBe('452 of 700 W');
    expect(plain(formatShare(452, null, 'W'))).toBe('452 W');
  });

  it('writes a range, or one number where the ends read the same', () => {
    expect(plain(formatRange([452, 387.2], 'W'))).toBe('387–452 W');
    expect(plain(formatRange([451.9, 452.3], 'W'))).toBe('452 W');
  });

  it('counts in words', () => {
    expect([0, 1, 2].map((n) => formatCount(n, 'box', 'boxes'))).toEqual([
      '0 boxes',
      '1 box',
      '2 boxes',
    ]);
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [41 * 60_000, '41 min'],
    [4 * 3_600_000 + 50 * 60_000, '4 h 50 min'],
    [5 * 3_600_000, '5 h'],
    [3 * 86_400_000 + 4 * 3_600_000, '3 d 4 h'],
    [11.5 * 86_400_000, '11 d'],
  ])('writes %d ms as %s', (ms, expected) => {
    expect(plain(formatDuration(ms))).toBe(expected);
  });

  it('says how long ago, and never less than a second', () => {
    expect(plain(formatAge(40_000))).toBe('40 s ago');
    expect(plain(formatAge(300))).toBe('1 s ago');
    expect(plain(formatAge(-2000))).toBe('1 s ago');
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_999, '1.0 MB'],
    [1_440_000, '1.4 MB'],
    [123_456_789, '123 MB'],
    [5e15, '5 000 TB'],
  ])('writes %d', (bytes, text) => {
    expect(plain(formatBytes(bytes))).toBe(text);
  });
});

describe('formatDate', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('asks once a second how dates are written here, as a person may travel, and not for each of a table', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(60_000);
    const { DateTimeFormat } = Intl;
    const asked = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (...how) {
      return new DateTimeFormat(...how);
    });
    for (let at = 0; at < 100; at += 1) formatDate(at * 86_400_000);
    expect(asked).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1001);
    expect(formatDate(new Date(2026, 10, 25, 23, 30).getTime())).toBe('25 Nov 2026, 23:30');
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
