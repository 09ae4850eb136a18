import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NEWS_BOX, samples } from '../../shared/news/news.fixture.ts';
import {
  EVERYWHERE,
  HERE,
  isInSight,
  type News,
  type NewsKind,
  type NewsListener,
} from '../../shared/news/news.ts';
import type { Problem } from '../../shared/problem.ts';
import { openDatabase, openTemporaryDatabase, type Database } from '../storage/database.ts';
import { runAndKill, withFolder } from '../storage/disk.fixture.ts';
import { MAX_WAITING, NewsQueue, type Listeners } from './news-queue.ts';

const FIXTURE = new URL('./news-queue.fixture.ts', import.meta.url);
const LISTENERS: readonly NewsListener[] = ['notification', 'tray', 'webhook', 'log', 'history'];

let database: Database;
let problems: Problem[];
let heard: [NewsListener, News][];

function openQueue(from: Database = database): NewsQueue {
  return new NewsQueue({
    entries: from.entries,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    onProblem: (found) => problems.push(found),
  });
}
const listenersWith = (part: Partial<Listeners> = {}): Listeners => ({
  notification: (news) => heard.push(['notification', news]),
  tray: (news) => heard.push(['tray', news]),
  webhook: (news) => heard.push(['webhook', news]),
  log: (news) => heard.push(['log', news]),
  history: (news) => heard.push(['history', news]),
  ...part,
});
/** Which listeners heard of which kind. */
const table = () =>
  Object.fromEntries(
    Object.keys(samples).map((kind) => [
      kind,
      LISTENERS.filter((name) => heard.some(([who, news]) => who === name && news.kind === kind)),
    ]),
  );
const tellAll = (queue: NewsQueue): void => {
  for (const { tellTo } of Object.values(samples)) tellTo(queue);
};

beforeEach(() => {
  database = openTemporaryDatabase();
  [problems, heard] = [[], []];
});
afterEach(() => database.close());

/** A kind that nobody knows: one object. */
const pullNews: NewsKind<{ readonly files: number }> = {
  kind: 'pull',
  picture: 'package',
  to: EVERYWHERE,
  isKept: true,
  words: ({ files }) => ({
    title: `${String(files)} files are here`,
    body: 'password=hunter2',
    box: NEWS_BOX,
    severity: 'info',
    shows: { kind: 'show-box', boxId: NEWS_BOX.id },
    about: NEWS_BOX.id,
    quietAt: 'window',
    facts: { files },
  }),
};

describe('news', () => {
  it('has a sample of every kind', () => {
    const kinds = readdirSync(new URL('../../shared/news/kinds', import.meta.url))
      .filter((name) => name.endsWith('-news.ts'))
      .map((name) => name.replace('-news.ts', ''));
    expect(Object.keys(samples)).toEqual(kinds.sort());
    expect(Object.values(samples).map(({ kind }) => kind.kind)).toEqual(kinds);
  });

  it('reaches who listens, and leaves this machine only where its kind says so', () => {
    const queue = openQueue();
    queue.listen(listenersWith());
    tellAll(queue);
    expect(table()).toEqual({
      alert: ['notification', 'tray', 'webhook', 'log', 'history'],
      budget: ['notification', 'tray', 'webhook', 'log', 'history'],
      clock: ['notification', 'tray', 'webhook', 'log', 'history'],
      continuous: ['notification', 'tray', 'webhook', 'log', 'history'],
      end: ['notification', 'tray', 'webhook', 'log', 'history'],
      link: ['notification', 'tray', 'log'],
      question: ['notification', 'tray', 'log'],
      run: ['notification', 'tray', 'webhook', 'log', 'history'],
      sentinel: ['notification', 'tray', 'webhook', 'log', 'history'],
    });
    expect(heard).toHaveLength(7 * EVERYWHERE.length + 2 * HERE.length);
  });

  it('of a box that is nobody’s does not leave this machine', () => {
    const queue = new NewsQueue({
      entries: database.entries,
      redact: (text) => text,
      onProblem: (found) => problems.push(found),
      isReal: (boxId) => boxId !== NEWS_BOX.id,
    });
    queue.listen(listenersWith());
    samples.clock.tellTo(queue);
    expect(heard.map(([who]) => who).sort()).toEqual([...HERE].sort());
  });

  it('of a new kind is one object, without the secrets of its words', () => {
    const queue = openQueue();
    queue.tell(pullNews, { files: 3 });
    expect(heard).toEqual([]);
    queue.listen(listenersWith());
    expect(heard.map(([who]) => who).sort()).toEqual([...LISTENERS].sort());
    expect(heard[0]?.[1]).toMatchObject({
      kind: 'pull',
      title: '3 files are here',
      body: 'password=[redacted]',
      facts: { files: 3 },
    });
    expect(problems).toEqual([]);
  });

  it('is told once by one session, and what was heard is not told by the next', () => {
    const queue = openQueue();
    queue.listen(listenersWith());
    tellAll(queue);
    heard = [];
    openQueue().listen(listenersWith());
    expect(heard).toEqual([]);
  });

  it('waits for who listens over a restart, but for what a restart makes worthless', () => {
    tellAll(openQueue());
    openQueue().listen(listenersWith());
    expect(table()).toMatchObject({ link: [], question: [], alert: { length: 5 } });
    heard = [];
    openQueue().listen(listenersWith());
    expect(heard).toEqual([]);
  });

  it('is told although it cannot be kept, and the person hears of that', () => {
    const broken = { ok: false, error: { code: 'disk-full' } as Problem } as const;
    vi.spyOn(database.entries, 'write').mockReturnValue(broken);
    const queue = openQueue();
    queue.listen(listenersWith());
    samples.clock.tellTo(queue);
    expect(heard).toHaveLength(5);
    expect(problems).toContain(broken.error);
    vi.restoreAllMocks();
  });

  it('reaches the others where one breaks on it, and does not break the next start', () => {
    const queue = openQueue();
    queue.listen(
      listenersWith({
        notification: () => {
          throw new Error('a bug');
        },
      }),
    );
    expect(() => samples.clock.tellTo(queue)).toThrow('a bug');
    expect(heard.map(([who]) => who)).toEqual(['tray', 'log', 'history', 'webhook']);
    heard = [];
    openQueue().listen(listenersWith());
    expect(heard).toEqual([]);
  });

  it('that waits is bounded: the oldest goes, and that is told', () => {
    const queue = openQueue();
    for (let files = 0; files < MAX_WAITING + 1; files += 1) queue.tell(pullNews, { files });
    expect(problems.map(({ code }) => code)).toEqual(['news-lost']);
    openQueue().listen(listenersWith());
    const told = heard.filter(([who]) => who === 'log').map(([, { facts }]) => facts['files']);
    expect(told).toHaveLength(MAX_WAITING);
    expect([told[0], told.at(-1)]).toEqual([1, MAX_WAITING]);
    expect(problems).toHaveLength(1);
  });

  it('that cannot be read is put aside and told, and what comes next is kept', () => {
    database.entries.write('', 'news', [{ news: { title: 'half' } }], 1);
    const rename = vi.spyOn(database.entries, 'setAside');
    const queue = openQueue();
    expect(problems).toMatchObject([{ code: 'news-lost' }]);
    expect(rename).toHaveReturnedWith({ ok: true, value: null });
    samples.clock.tellTo(queue);
    openQueue().listen(listenersWith());
    expect(heard).toHaveLength(5);
    expect(problems).toHaveLength(1);
  });

  it('names listeners that only another version has, and reaches those that are here', () => {
    const news = samples.clock.news({ id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', atMs: 1 });
    database.entries.write('', 'news', [{ news, to: ['pager', 'log'] }], 1);
    openQueue().listen(listenersWith());
    expect(heard).toEqual([['log', news]]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['window', true, false, true],
    ['window', false, true, false],
    ['page', true, true, true],
    ['page', true, false, false],
    ['page', false, true, false],
    ['nowhere', true, true, false],
  ] as const)(
    'quiet at the %s, window in front: %s, page looked at: %s: in sight: %s',
    (quietAt, isWindowInFront, isPageLookedAt, isSeen) => {
      const news = samples.clock.news({ id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', atMs: 1 });
      expect(isInSight({ ...news, quietAt }, isWindowInFront, () => isPageLookedAt)).toBe(isSeen);
    },
  );
});

// In another process, with a real file: what is told is told at least once, whenever it is killed.
describe('kill -9', () => {
  const EVERYWHERE_TOLD = ['alert', 'budget', 'clock', 'continuous', 'end', 'run', 'sentinel'];
  it.each([
    ['before anybody listens', 0, EVERYWHERE_TOLD],
    ['while the first hears', 1, EVERYWHERE_TOLD],
    ['while the last hears', 5, EVERYWHERE_TOLD],
    ['while the first hears of the next', 6, EVERYWHERE_TOLD.slice(1)],
  ])('%s loses nothing that was to be told', (_when, after, left) =>
    withFolder(async (folder) => {
      await runAndKill(FIXTURE, [folder, String(after)], 1);
      const opened = openDatabase({ folder });
      openQueue(opened.database).listen(listenersWith());
      opened.database.close();
      expect([...new Set(heard.map(([, { kind }]) => kind))]).toEqual(left);
      expect(heard).toHaveLength(EVERYWHERE.length * left.length);
      expect(problems).toEqual([]);
    }),
  );
});
