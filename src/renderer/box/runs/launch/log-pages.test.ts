import { expect, it } from 'vitest';
import type { LogPart } from '../../../../shared/runs/launch/log-part.ts';
import { rowOf } from '../../../../shared/runs/launch/log-lines.ts';
import {
  beginOf,
  earlierOf,
  endOf,
  laterOf,
  pagesFrom,
  rowAtPage,
  withEarlier,
  withLater,
} from './log-pages.ts';

/** Of a log with a line of ten bytes at every ten. */
const part = (from: number, to: number): LogPart => ({
  from,
  to,
  size: 1000,
  text: Array.from(
    { length: (to - from) / 10 },
    (_, at) => `line ${String(from / 10 + at).padStart(4, '0')}\n`,
  ).join(''),
});

it('goes both ways, and each row keeps its number while the farthest pages go', () => {
  let log = pagesFrom(part(500, 600));
  expect(rowOf(log.lines, 0)?.text).toBe('line 0050');
  log = withEarlier(log, part(400, 500));
  expect([beginOf(log), endOf(log), log.lines.first]).toEqual([400, 600, -10]);
  expect(rowOf(log.lines, 0)?.text).toBe('line 0050');
  expect(rowOf(log.lines, -10)?.text).toBe('line 0040');
  for (const at of [600, 700, 800]) log = withLater(log, part(at, at + 100));
  expect([beginOf(log), endOf(log), log.lines.rows.length]).toEqual([500, 900, 40]);
  expect(rowOf(log.lines, 0)?.text).toBe('line 0050');
  expect(rowOf(log.lines, 39)?.text).toBe('line 0089');
  expect(rowAtPage(log, 700)).toBe(20);
  expect(rowAtPage(log, 701)).toBeNull();
});

it('takes only the part that follows', () => {
  const log = pagesFrom(part(500, 600));
  expect(withEarlier(log, part(300, 400))).toBe(log);
  expect(withLater(log, part(700, 800))).toBe(log);
  expect(withLater(log, { ...part(600, 600), text: '' })).toBe(log);
});

it('knows what comes before and after it, and where the log ends', () => {
  const log = pagesFrom(part(500, 1000));
  expect([earlierOf(log), laterOf(log)]).toEqual([{ from: 0, until: 500 }, null]);
  expect(laterOf(pagesFrom(part(0, 500)))).toEqual({ from: 500, until: 1000 });
  expect(earlierOf(pagesFrom(part(0, 500)))).toBeNull();
});
