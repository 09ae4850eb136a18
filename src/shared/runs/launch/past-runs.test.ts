import { expect, it } from 'vitest';
import type { LaunchedRun } from './launched-run.ts';
import { pastRunsOf, pastWords } from './past-runs.ts';

const HOUR_MS = 3_600_000;
const run = (hours: number, part: Partial<LaunchedRun> = {}): LaunchedRun =>
  ({
    ...{ name: 'base', command: 'train', launchedAtMs: 0 },
    status: { kind: 'done', exitCode: 0, atMs: hours * HOUR_MS, lacksSuccessLine: false },
    ...part,
  }) as LaunchedRun;
const wanted = { name: 'base', command: 'train' };

it('takes what ended with success for how long it may take, and nothing else', () => {
  const lost = { status: { kind: 'lost', because: 'killed' } } as const;
  const queue = { queue: { id: 'q', next: null } };
  const runs = [run(2), run(1.5), run(9, lost), run(8, queue), run(7, { launchedAtMs: null })];
  expect(pastRunsOf(wanted, runs, null)).toEqual({ count: 2, hours: [1.5, 2], cost: null });
  expect(pastRunsOf(wanted, [run(9, lost)], null)).toBeNull();
  const first = run(4, { id: 'r-1', again: { id: 'r-1', next: null } });
  const rest = run(1, { id: 'r-2', again: { id: 'r-1', next: null } });
  expect(pastRunsOf(wanted, [first, rest], null)?.hours).toEqual([4, 4]);
});

it('goes by the same command before the same name', () => {
  const other = run(5, { command: 'train --long' });
  expect(pastRunsOf(wanted, [other, run(1)], null)?.hours).toEqual([1, 1]);
  const long = `train ${'--option '.repeat(100)}`;
  const kept = [run(3, { command: long.slice(0, 400) }), other];
  expect(pastRunsOf({ ...wanted, command: long }, kept, null)?.hours).toEqual([3, 3]);
  expect(pastRunsOf(wanted, [other], null)?.hours).toEqual([5, 5]);
  expect(pastRunsOf({ ...wanted, name: 'x' }, [other], null)).toBeNull();
});

it('says a range with its money, and no money where no price is known', () => {
  const money = (dollars: number) => ({
    money: [{ micros: dollars * 1_000_000, currency: 'USD' }],
    isPartly: false,
  });
  expect(pastWords({ count: 3, hours: [1.5, 2], cost: [money(3), money(4)] })).toBe(
    "3 earlier runs of it took 1.5 h to 2 h here, about $3.00 to $4.00 at today's price",
  );
  expect(pastWords({ count: 1, hours: [2, 2], cost: null })).toBe(
    'an earlier run of it took 2 h here',
  );
  const cent = { money: [{ micros: 1341, currency: 'USD' }], isPartly: false };
  expect(pastWords({ count: 1, hours: [2 / 3600, 2 / 3600], cost: [cent, cent] })).toBe(
    "an earlier run of it took less than a minute here, <$0.01 at today's price",
  );
});
