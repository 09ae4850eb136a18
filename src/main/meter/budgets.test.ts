import { describe, expect, it, vi } from 'vitest';
import { budgetText } from '../../shared/meter/budget-words.ts';
import type { Ledger } from '../../shared/meter/ledger.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { Interval } from '../../shared/meter/interval.ts';
import type { Budget } from '../../shared/meter/price-entries.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { BudgetWatch } from './budget-watch.ts';
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
        {
          boxId: BOX.id,
          owner: { ...BOX, tags: ['ablation'] },
          isListed: true,
          ledger: listed,
          idle: [],
        },
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

describe('BudgetWatch', () => {
  const limit = { micros: 10_000_000, currency: 'USD' };

  function watching(database: Database, ledger: () => Ledger, now: () => number) {
    const heard: string[] = [];
    const problems: string[] = [];
    const budgets = new Budgets({
      entries: database.entries,
      ledger: database.ledger,
      metered: () => [{ boxId: BOX.id, owner: BOX, isListed: true, ledger: ledger(), idle: [] }],
    });
    const watch = new BudgetWatch({
      budgets,
      entries: database.entries,
      onAlarm: (judged) => heard.push(budgetText(judged).title),
      onProblem: ({ code }) => problems.push(code),
      now,
    });
    return { watch, heard, problems };
  }

  it('rings before the limit and at it, once each, over a restart too, and again in the next month', () => {
    vi.useFakeTimers();
    const database = openTemporaryDatabase();
    let nowMs = NOON;
    let ledger: Ledger = { intervals: [], transfers: [], corrections: [] };
    const spend = (hours: number, fromMs = NOON): void => {
      ledger = { ...ledger, intervals: [{ ...line(fromMs), ms: hours * H }] };
    };
    const first = watching(
      database,
      () => ledger,
      () => nowMs,
    );
    const each = { ...budget({ kind: 'box', boxId: BOX.id }, 'month'), limit };
    expect(first.watch.set([each])).toEqual({ ok: true, value: null });
    expect(first.heard).toEqual([]);
    spend(1.4);
    vi.advanceTimersByTime(60_000);
    vi.advanceTimersByTime(60_000);
    expect(first.heard).toEqual(['train-a: the budget is nearly used up']);
    first.watch.close();

    const second = watching(
      database,
      () => ledger,
      () => nowMs,
    );
    vi.advanceTimersByTime(60_000);
    expect(second.heard).toEqual([]);
    spend(2);
    vi.advanceTimersByTime(120_000);
    expect(second.heard).toEqual(['train-a: the budget is used up']);
    nowMs = NOON + 20 * 24 * H;
    spend(2, nowMs - 3 * H);
    vi.advanceTimersByTime(60_000);
    expect(second.heard).toHaveLength(2);
    // A higher limit is another budget.
    second.watch.set([{ ...each, limit: { ...limit, micros: 14_000_000 } }]);
    expect(second.heard.at(-1)).toBe('train-a: the budget is nearly used up');
    second.watch.close();
    expect(vi.getTimerCount()).toBe(0);
    expect([...first.problems, ...second.problems]).toEqual([]);
    database.close();
    vi.useRealTimers();
  });

  it('rings all the same when the disk keeps nothing, and says so', () => {
    const database = openTemporaryDatabase();
    const { watch, heard, problems } = watching(
      database,
      () => ({ intervals: [{ ...line(NOON), ms: 3 * H }], transfers: [], corrections: [] }),
      () => NOON + 4 * H,
    );
    watch.set([{ ...budget({ kind: 'all' }, 'ever'), limit }]);
    expect(heard).toEqual(['All boxes: the budget is used up']);
    const full = err(problem('disk-full', 'full'));
    vi.spyOn(database.entries, 'write').mockReturnValue(full);
    vi.spyOn(database.entries, 'read').mockImplementation((_boxId, key) =>
      ok(key === 'budgets' ? ([{ ...budget({ kind: 'all' }, 'ever'), limit }] as never) : null),
    );
    watch.look();
    expect(heard).toHaveLength(2);
    expect(problems).toEqual(['disk-full']);
    watch.close();
    database.close();
  });
});
