import { describe, expect, it } from 'vitest';
import type { ShareView, SweepCell, SweepCellState } from '../../shared/runs/sweep/sweep-view.ts';
import { sweepEndWords } from './sweep-end.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2027, 0, 15, 9);
const share = (boxId: string, part: Partial<ShareView> = {}): ShareView => ({
  ...{ run: boxId, place: boxId, cells: [], boxId, presence: 'alive', newest: null },
  ...{ slots: 1, isPaused: false, isStopping: false, hasLeft: false, problem: null },
  ...part,
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
    expect(words).toMatch(/^ends between .* and .*; about \$14\.00 to \$18\.00 more$/);
  });

  it('is not known where a box has no cell done yet, nor its cost without a price', () => {
    const cells = [cell(0, done(1)), cell(0, waiting)];
    const view = { shares: [share('a'), share('b')], cells: [...cells, cell(1, waiting)] };
    expect(sweepEndWords(view, prices, NOW)).toContain('can be estimated once');
    expect(sweepEndWords({ shares: [share('x')], cells }, prices, NOW)).toMatch(
      /^ends about .*; set a price to see what that costs$/,
    );
  });

  it('is told only while a queue goes on', () => {
    const cells = [cell(0, done(1)), cell(0, waiting)];
    const over = share('a', { presence: 'over' });
    expect(sweepEndWords({ shares: [over], cells }, prices, NOW)).toBeNull();
  });

  it('is not promised of a box that is not reached and may have cells to do', () => {
    const shares = [share('a'), share('b', { presence: 'unseen' })];
    const cells = [cell(0, done(1)), cell(0, waiting)];
    for (const state of [waiting, { kind: 'unseen' }] as const) {
      const view = { shares, cells: [...cells, cell(1, state)] };
      expect(sweepEndWords(view, prices, NOW)).toMatch(/^no estimate: 1\sbox is not reached$/);
    }
    // Everything that it was given is done: nothing of it is missing.
    const view = { shares, cells: [...cells, cell(1, done(1))] };
    expect(sweepEndWords(view, prices, NOW)).toMatch(/^ends about/);
  });

  it('is not known of a paused queue; of one that stops it is that of the cells that run', () => {
    const running: SweepCellState = { kind: 'running', beganAtMs: NOW };
    const cells = [cell(0, done(1)), cell(0, running), cell(0, waiting), cell(0, waiting)];
    const wordsOf = (part: Partial<ShareView>) =>
      sweepEndWords({ shares: [share('a', part)], cells }, prices, NOW);
    expect(wordsOf({ isPaused: true })).toBe('no estimate of the end while a queue is paused');
    expect(wordsOf({ isStopping: true, isPaused: true })).toMatch(/about \$2\.00 more$/);
  });
});
