import { describe, expect, it } from 'vitest';
import { changedKey, REVOKED_KEY, unknownKey } from '../../shared/boxes/host-key.fixture.ts';
import { problem } from '../../shared/problem.ts';
import { LINK_UP } from '../fleet/fleet-entry.fixture.ts';
import { linkStateWord, linkTone, linkWords, nextTryWords } from './link-words.ts';

const lost = problem('link-lost', 'lost');
const refused = problem('auth-refused', 'No.');

describe('linkWords', () => {
  it.each([
    [{ kind: 'idle' }, 'off', 'Not connected'],
    [{ kind: 'connecting', attempt: 1, sinceMs: 0 }, 'wait', 'Connecting'],
    [{ kind: 'connecting', attempt: 2, sinceMs: 0 }, 'wait', 'Connecting (attempt 2)'],
    [LINK_UP, 'ok', 'Connected · 38 ms'],
    [{ kind: 'up', sinceMs: 0, latencyMs: null }, 'ok', 'Connected'],
    [
      { kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost },
      'warn',
      'Reconnecting (attempt 3)',
    ],
    [unknownKey(), 'warn', 'Host key unknown'],
    [changedKey(), 'danger', 'Host key changed'],
    [REVOKED_KEY, 'danger', 'Host key revoked'],
    [{ kind: 'down', sinceMs: 0, problem: lost }, 'danger', 'Disconnected · action needed'],
    [{ kind: 'down', sinceMs: 0, problem: refused }, 'danger', 'Sign-in failed'],
  ] as const)('says of %j: %s, %s', (link, tone, words) => {
    expect(linkTone(link)).toBe(tone);
    expect(linkWords(link).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it.each([
    [8000, 'in 8 s (attempt 3)'],
    [7001, 'in 8 s (attempt 3)'],
    [1, 'in 1 s (attempt 3)'],
    [0, 'now (attempt 3)'],
    [-5000, 'now (attempt 3)'],
  ])('counts %i ms down to what is due', (leftMs, words) => {
    const waiting = { attempt: 3, retryAtMs: 1_000_000 + leftMs };
    expect(nextTryWords(waiting, 1_000_000).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it('has a word for the state alone that a measurement or a try does not change', () => {
    expect(linkStateWord(LINK_UP)).toBe('Connected');
    expect(linkStateWord({ kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost })).toBe(
      'Reconnecting',
    );
  });
});
