import { describe, expect, it } from 'vitest';
import type { SweepCell, SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { NO_SWEEP } from '../../shared/runs/sweep/sweep-view.ts';
import { costWords } from './sweep-cost.ts';
import { FIRST_ORDER, orderedRows, sweepRows, type SweepOrder } from './sweep-rows.ts';
import { speedIn } from './sweep-speed.ts';

const HOUR_MS = 3_600_000;
const cell = (state: SweepCell['state'], share = 0): SweepCell => ({
  ...{ state, share, index: 1, isTwice: false },
});
const done = (beganAtMs: number, atMs: number, share = 0): SweepCell =>
  cell({ kind: 'done', beganAtMs, atMs }, share);
const named = (name: string) => ({ name, command: 'x', results: name });
const place = (boxId: string, presence: 'alive' | 'unseen' = 'alive') => ({
  ...{ run: 'r', place: boxId, cells: [], boxId, presence, newest: 'r', slots: 1 },
  ...{ isPaused: false, isStopping: false, hasLeft: false, problem: null },
});
const VIEW: SweepView = {
  ...NO_SWEEP,
  roster: {
    ...{ id: 's-20260101-000000-00000000', name: 's' },
    base: { folder: '~', activate: null, env: {} },
    cells: [named('lr=10'), named('lr=9'), named('lr=2'), named('lr=1')],
  },
  shares: [place('a'), place('b')],
  cells: [
    done(0, 2 * HOUR_MS),
    done(0, HOUR_MS, 1),
    cell({ kind: 'failed', exitCode: 1, beganAtMs: HOUR_MS, atMs: 2 * HOUR_MS }),
    cell({ kind: 'waiting' }),
  ],
};
const names = (order: Partial<SweepOrder>, figures: Readonly<Record<number, number>> = {}) =>
  orderedRows(sweepRows(VIEW), { ...FIRST_ORDER, ...order }, (at) => figures[at] ?? null).map(
    ({ name }) => name,
  );

describe('the rows of a sweep', () => {
  it('are sorted by what stands in a column, with nothing last in both directions', () => {
    expect(names({})).toEqual(['lr=10', 'lr=9', 'lr=2', 'lr=1']);
    expect(names({ sortBy: 'name' })).toEqual(['lr=1', 'lr=2', 'lr=9', 'lr=10']);
    expect(names({ sortBy: 'took' })).toEqual(['lr=9', 'lr=2', 'lr=10', 'lr=1']);
    expect(names({ sortBy: 'took', isDescending: true })).toEqual([
      ...['lr=10', 'lr=9', 'lr=2', 'lr=1'],
    ]);
    const figures = { 0: 0.5, 1: NaN, 2: 0.25 };
    expect(names({ sortBy: 'figure' }, figures)).toEqual(['lr=2', 'lr=10', 'lr=9', 'lr=1']);
  });

  it('are those of one state, and those that are looked for', () => {
    expect(names({ group: 'done' })).toEqual(['lr=10', 'lr=9']);
    expect(names({ search: ' LR=1' })).toEqual(['lr=10', 'lr=1']);
    expect(names({ group: 'missing' })).toEqual([]);
  });

  it('cost what their boxes do, and what is not known is never nothing', () => {
    const rows = sweepRows(VIEW);
    const usd = { micros: 2e6, currency: 'USD' };
    const both = new Map([
      ['a', usd],
      ['b', usd],
    ]);
    expect(costWords(rows, both, 0)).toBe('$8.00');
    expect(costWords(rows, new Map([['b', usd]]), 0)).toBe(
      'at least $2.00, 2 cells not counted: no full price, or end not seen',
    );
    // Two cells at once share the price of their box.
    const shared = sweepRows({ ...VIEW, shares: [{ ...place('a'), slots: 2 }, place('b')] });
    expect(costWords(shared, both, 0)).toBe('$5.00');
    expect(costWords(rows, new Map(), 0)).toBe(
      '3 cells not counted: no full price, or end not seen',
    );
    expect(costWords(rows.slice(3), new Map(), 0)).toBe('nothing has run');
  });

  it('tell how fast a box is once it has done a few', () => {
    const cells = [1, 2, 3].map((hours) => done(0, hours * HOUR_MS));
    expect(speedIn({ ...VIEW, cells })).toEqual(new Map([['a', 0.5]]));
    expect(speedIn({ ...VIEW, cells: cells.slice(1) })).toEqual(new Map());
    const shares = [{ ...place('a'), slots: 4 }];
    expect(speedIn({ ...VIEW, cells, shares })).toEqual(new Map([['a', 2]]));
  });
});
