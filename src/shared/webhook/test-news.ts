import { makeNews, type News } from '../news/news.ts';

/** What "Send a test" sends. It goes nowhere else. */
export const TEST = { kind: 'test', picture: 'hourglass_flowing_sand' } as const;

export function testNews(stamp: Pick<News, 'id' | 'atMs'>): News {
  return makeNews(TEST, stamp, {
    title: 'Leasehold: a test',
    body: 'Alerts, danger clocks, budgets and what you wait for will come like this.',
    box: null,
    severity: 'info',
    shows: { kind: 'open-settings' },
    about: '',
    quietAt: 'nowhere',
    facts: {},
  });
}
