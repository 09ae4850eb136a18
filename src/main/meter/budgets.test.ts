import { describe, expect, it } from 'vitest';
import type { Interval } from '../../shared/meter/interval.ts';
import type { Budget } from '../../shared/meter/price-entries.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { Budgets } from './budgets.ts';
import { BOX } from './meter.fixture.ts';

const NOON = new Date('2026-03-28T12:00:00').getTime();
const H = 3_600_000;

function line(fromMs: number): Interval {
  return {
    no: 1,
    fromMs,
    ms: H,
    phase: 'running',
    source: 'observed',
    charges: [
      {
        kind: 'compute',
        what: 'GPU time',
        rate: { micros: 6_000_000, currency: 'USD', per: 'hour' },
      },
    ],
    life: null,
  };
}

const budget = (scope: Budget['scope'], per: Budget['per']): Budget => ({
  id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  scope,
  per,
  limit: { micros: 10_000_000, currency: 'USD' },
});

describe('Budgets', () => {
  it('count each box once, a forgotten one too, within their day, month or ever', () => {
    const database = openTemporaryDatabase();
    const listed = { intervals: [line(NOON)], transfers: [], corrections: [] };
    const put = (boxId: string, interval: Interval) => ({
      boxId,
      change: { kind: 'put', interval } as const,
    });
    database.ledger.write([put(BOX.id, line(NOON)), put('gone', line(NOON - 48 * H))]);
    const budgets = new Budgets({
      entries: database.entries,
      ledger: database.ledger,
      metered: () => [
        { boxId: BOX.id, box: { ...BOX, tags: ['ablation'] }, ledger: listed, idle: [] },
      ],
    });
    budgets.set(
      [
        budget({ kind: 'all' }, 'ever'),
        budget({ kind: 'all' }, 'day'),
        budget({ kind: 'all' }, 'month'),
        budget({ kind: 'box', boxId: BOX.id }, 'ever'),
        budget({ kind: 'tag', tag: 'ablation' }, 'ever'),
        budget({ kind: 'tag', tag: 'other' }, 'ever'),
      ],
      NOON,
    );
    const judged = budgets.judge(NOON + 2 * H);
    const told = judged.ok
      ? judged.value.map(({ answer }) => [answer.kind, answer.spent.micros])
      : [];
    expect(told).toEqual([
      ['over', 12_000_000],
      ['within', 6_000_000],
      ['over', 12_000_000],
      ['within', 6_000_000],
      ['within', 6_000_000],
      ['within', 0],
    ]);
    database.close();
  });
});
