import { expect, it } from 'vitest';
import { clockNews, type ToldClock } from '../news/kinds/clock-news.ts';
import { NEWS_BOX } from '../news/news.fixture.ts';
import type { Behind, BoxBehind } from '../transfer/behind.ts';
import { judgeTimeToSave } from './time-to-save.ts';

const HOUR_MS = 3_600_000;
const run = (seen: Partial<Behind> | null) => ({
  ...{ runId: 'r', runName: 'a', problem: null },
  seen: seen && { atMs: 1, files: 1, bytes: 0, checkpoints: 0, scratchBytes: 0, ...seen },
});
/** Ten megabytes a second. */
const RATE = { bytesPerS: 10_000_000, atMs: 1 };
const behind = (part: Partial<BoxBehind>): BoxBehind => ({
  ...{ runs: [run({ bytes: 36_000_000_000 })], unseenRuns: 0, rate: RATE },
  ...part,
});

it.each([
  ['nothing is missing', behind({ runs: [run({ files: 0 })] }), 0, 'nothing'],
  ['there is no run', behind({ runs: [] }), 0, 'nothing'],
  ['it takes less', behind({}), HOUR_MS + 1, 'enough'],
  ['it takes just as long', behind({}), HOUR_MS, 'too-little'],
  ['more may be missing besides', behind({ unseenRuns: 1 }), HOUR_MS, 'too-little'],
  ['more may be missing, and what is known would do', behind({ unseenRuns: 1 }), 9e9, 'unknown'],
  ['no rate was measured', behind({ rate: null }), HOUR_MS, 'unknown'],
  ['nobody has looked at a run', behind({ runs: [run(null)] }), 9e9, 'unknown'],
  ['nobody has looked at all', null, 9e9, 'unknown'],
] as const)('judges the time left where %s', (_what, known, leftMs, kind) => {
  expect(judgeTimeToSave(known, leftMs).kind).toBe(kind);
});

const told = (part: Partial<ToldClock> = {}, danger: 'data' | 'money' = 'data') =>
  clockNews.words(
    {
      box: NEWS_BOX,
      clock: {
        ...{
          id: 'c',
          danger,
          event: 'Rental ends',
          trigger: 'the rental ends',
          consequence: 'the disk is deleted',
        },
        ...{ loses: [], known: { kind: 'told' }, readAt: 'console', stops: null, entry: null },
        due: { kind: 'at', atMs: HOUR_MS, isEstimate: false },
      },
      ...{ markMs: 6 * HOUR_MS, behind: behind({}), ...part },
    },
    0,
  );

it('says in the alarm that there is too little time, rings for it, and leads to where results come home', () => {
  const short = told();
  expect(short).toMatchObject({ severity: 'critical', shows: { kind: 'show-pull' } });
  expect(short?.body).toContain(
    'Bringing home and proving 33.5 GiB takes about 1 h 0 min: not enough time is left for all of it.',
  );
  expect(short?.facts).toMatchObject({ needMs: HOUR_MS });
});

it('says that it is not known, and nothing where nothing is missing or no data is at stake', () => {
  expect(told({ behind: null })).toMatchObject({
    ...{ severity: 'warn', shows: { kind: 'show-pull' }, facts: { needMs: null } },
    body: expect.stringContaining('is not known: its results have not been checked.') as string,
  });
  for (const calm of [told({ behind: behind({ runs: [] }) }), told({}, 'money')]) {
    expect(calm).toMatchObject({ severity: 'warn', shows: { kind: 'show-box' } });
    expect(calm?.body).toMatch(/GMT\S*\.$|UTC\S*\.$/);
  }
});
