import { describe, expect, it } from 'vitest';
import type { ShareView, SweepCell, SweepCellState } from '../../shared/runs/sweep/sweep-view.ts';
import { sweepEndWords } from './sweep-end.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2027, 0, 15, 9);
const share = (boxId: string, presence: ShareView['presence'] = 'alive'): ShareView => ({
  ...{ run: boxId, place: boxId, cells: [], boxId, presence, newest: null },
  ...{ slots: 1, hasLeft: false, problem: null },
});
const cell = (at: number, state: SweepCellState): SweepCell => ({
  ...{ state, share: at, index: 1, isTwice: false },
});
const done = (hours: number): SweepCellState => ({
  ...{ kind: 'done', beganAtMs: NOW - 9 * HOUR_MS, atMs: NOW - (9 - hours) * HOUR_MS },
});
const waiting: SweepCellState = { kind: 'waiting' };
const price = (micros: number) => ({ micros, currency: 'USD' });
const prices = new Map([
  ['a', price(2_000_000)],
  ['b', price(10_000_000)],
]);

describe('the end of a sweep', () => {
  it('is that of the box that takes longest, and each box is paid for until its own', () => {
    const cells = [cell(0, done(1)), cell(0, done(2)), cell(0, waiting), cell(0, waiting)];
    const both = [...cells, cell(1, done(1)), cell(1, waiting)];
    const words = sweepEndWords({ shares: [share('a'), share('b')], cells: both }, prices, NOW);
    // 2 to 4 hours of a, and one of b.
    expect(words).toMatch(/^ends between .* and .*, about \$14\.00 to \$18\.00 more$/);
  });

  it('is not known where a box has no cell done yet, nor its cost without a price', () => {
    const cells = [cell(0, done(1)), cell(0, waiting)];
    const view = { shares: [share('a'), share('b')], cells: [...cells, cell(1, waiting)] };
    expect(sweepEndWords(view, prices, NOW)).toContain('end not known');
    expect(sweepEndWords({ shares: [share('x')], cells }, prices, NOW)).toMatch(
      /^ends about .*, what that costs is not known$/,
    );
  });

  it('is told only while a queue goes on', () => {
    const cells = [cell(0, done(1)), cell(0, waiting)];
    expect(sweepEndWords({ shares: [share('a', 'over')], cells }, prices, NOW)).toBeNull();
  });
});
