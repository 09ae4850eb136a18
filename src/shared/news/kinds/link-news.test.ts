import { expect, it } from 'vitest';
import type { LinkState } from '../../boxes/box.ts';
import { changedKey, REVOKED_KEY } from '../../boxes/host-key.fixture.ts';
import { problem } from '../../problem.ts';
import { NEWS_BOX } from '../news.fixture.ts';
import { linkNews } from './link-news.ts';

const lost = problem('link-lost', 'The connection to h was lost.');
const UP: LinkState = { kind: 'up', sinceMs: 0, latencyMs: 3 };
const WAITING: LinkState = { kind: 'waiting', attempt: 1, retryAtMs: 5, problem: lost };
const DOWN: LinkState = { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'Refused.') };

const titleOf = (before: LinkState, after: LinkState): string | undefined =>
  linkNews.words({ box: NEWS_BOX, before, after }, 0)?.title;

it('speaks up for what stops until a person acts, and for a loss', () => {
  expect(titleOf(UP, changedKey())).toContain('host key changed');
  expect(titleOf(UP, REVOKED_KEY)).toContain('revoked');
  expect(titleOf(UP, DOWN)).toContain('Refused');
  expect(titleOf(UP, WAITING)).toContain('lost');
});

it('is quiet about the rest', () => {
  expect(titleOf(WAITING, WAITING)).toBeUndefined();
  expect(titleOf({ kind: 'connecting', attempt: 2, sinceMs: 0 }, WAITING)).toBeUndefined();
  expect(titleOf(WAITING, UP)).toBeUndefined();
  expect(titleOf(UP, { kind: 'idle' })).toBeUndefined();
});
