import { describe, expect, it, onTestFinished } from 'vitest';
import { onboxFolder } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { meet } from './hostile-meeting.fixture.ts';
import { hostileServers } from './hostile-servers.fixture.ts';

// How long main stands still meanwhile, and what it keeps: `npm run bench -- untrusted`, over the same list.

const BESIDE = { ...shippedWatched(null), isGpuWorking: null };
/** More than the budgets for small ones; the bench sends more. */
const FLOOD = { small: 30_000, large: 100 };
/** Two rounds of a log-in; and a problem, with the most that its details hold. */
const [MAX_QUESTIONS, MAX_TOLD_CHARS] = [2, 12_000];
/** Control characters but line ends, and what turns text around. */
const UNSEEN = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('main meets', () => {
  it.each(Object.entries(hostileServers(FLOOD)))('%s', async (_name, { start, does, endsAs }) => {
    const { port, stop } = await start();
    onTestFinished(() => void stop());
    const met = await meet({ port, does, scriptsFolder: onboxFolder, beside: BESIDE });
    expect(endsAs).toContain(met.ending);
    expect(met.questions).toBeLessThanOrEqual(MAX_QUESTIONS);
    expect(met.told.length).toBeLessThan(MAX_TOLD_CHARS);
    const words: unknown = JSON.parse(met.told, (_key, value: unknown) => {
      if (typeof value === 'string') expect(value).not.toMatch(UNSEEN);
      return value;
    });
    expect(words).toBeDefined();
  });
});
