import { expect, it } from 'vitest';
import type { Charge } from '../meter/interval.ts';
import { judgeSendTime, sendTimeWords, withMeasured, type MeasuredPush } from './push-rate.ts';

const pushed = (megabytes: number, seconds: number): MeasuredPush => ({
  bytes: megabytes * 1_000_000,
  ms: seconds * 1000,
  atMs: 0,
});
const wordsOf = (
  megabytes: number,
  measured: readonly MeasuredPush[] | null,
  charges: readonly Charge[] | null = null,
) => sendTimeWords(judgeSendTime(megabytes * 1_000_000, measured, charges));
const dollars = (micros: number): Charge => ({
  kind: 'compute',
  what: 'GPU time',
  rate: { micros, currency: 'USD', per: 'hour' },
});

it('says that it is not known where nothing was measured', () => {
  expect(wordsOf(5, null)).toBe('not known: what earlier pushes took could not be read here');
  expect(wordsOf(5, [])).toBe('not known: no push to this box was large enough to be measured');
});

it('takes one push for about as long, and several for a range', () => {
  expect(wordsOf(24, [pushed(6, 3)])).toBe(
    'about 12 s, by one earlier push to this box (2.0 MB/s)',
  );
  expect(wordsOf(24, [pushed(6, 3), pushed(3, 1), pushed(1, 1)])).toBe(
    '8 s to 24 s, by 3 earlier pushes to this box (1.0 to 3.0 MB/s)',
  );
  expect(wordsOf(24, [pushed(6, 3), pushed(12, 6)])).toBe(
    '12 s, by 2 earlier pushes to this box (2.0 MB/s)',
  );
});

it('never shows a short time, a slow link or a small cost as nothing', () => {
  expect(wordsOf(1, [pushed(300, 3), pushed(1, 2)], [dollars(2_000_000)])).toBe(
    'less than 1 s to 2 s, by 2 earlier pushes to this box (0.5 to 100 MB/s)',
  );
  expect(wordsOf(30, [pushed(1, 1), pushed(100, 1)], [dollars(2_000_000)])).toBe(
    'less than 1 s to 30 s, by 2 earlier pushes to this box (1.0 to 100 MB/s); the box costs <$0.01 to $0.02 meanwhile',
  );
  expect(wordsOf(1, [pushed(50, 1)])).toBe(
    'less than 1 s, by one earlier push to this box (50.0 MB/s)',
  );
  expect(wordsOf(1, [pushed(1, 100_000)])).toContain('(less than 0.1 kB/s)');
  expect(wordsOf(1, [pushed(1, 1000)], [dollars(2_000_000)])).toBe(
    'about 16 min, by one earlier push to this box (1.0 kB/s); the box costs $0.56 meanwhile',
  );
});

it('names no cost where nothing has a price', () => {
  const unpriced: Charge = { kind: 'compute', what: 'GPU time', rate: null };
  expect(wordsOf(2, [pushed(1, 1)], [unpriced])).not.toContain('cost');
  expect(wordsOf(2, [pushed(1, 1)], [])).not.toContain('cost');
  expect(wordsOf(7200, [pushed(1, 1)], [dollars(3_000_000), unpriced])).toContain(
    'the box costs at least $6.00 meanwhile',
  );
});

it('keeps the newest ten', () => {
  const known = Array.from({ length: 10 }, (_, at) => ({ ...pushed(1, 1), atMs: 10 - at }));
  const kept = withMeasured(known, { ...pushed(1, 1), atMs: 11 });
  expect(kept.map(({ atMs }) => atMs)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});
