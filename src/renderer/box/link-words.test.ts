import { describe, expect, it } from 'vitest';
import { changedKey, REVOKED_KEY, unknownKey } from '../../shared/boxes/host-key.fixture.ts';
import { problem } from '../../shared/problem.ts';
import { LINK_UP } from '../fleet/fleet-entry.fixture.ts';
import { linkStateWord, linkTone, linkWords, nextTryWords } from './link-words.ts';

const lost = problem('link-lost', 'lost');

describe('linkWords', () => {
  it.each([
    [{ kind: 'idle' }, 'off', 'Not connected'],
    [{ kind: 'connecting', attempt: 1, sinceMs: 0 }, 'wait', 'Connecting'],
    [{ kind: 'connecting', attempt: 2, sinceMs: 0 }, 'wait', 'Connecting · try 2'],
    [LINK_UP, 'ok', 'Link up · 38 ms'],
    [{ kind: 'up', sinceMs: 0, latencyMs: null }, 'ok', 'Link up'],
    [{ kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost }, 'warn', 'Link down · try 3'],
    [unknownKey(), 'warn', 'Host key unknown'],
    [changedKey(), 'danger', 'Host key changed'],
    [REVOKED_KEY, 'danger', 'Host key revoked'],
    [{ kind: 'down', sinceMs: 0, problem: lost }, 'danger', 'Link down · needs you'],
  ] as const)('says of %j: %s, %s', (link, tone, words) => {
    expect(linkTone(link)).toBe(tone);
    expect(linkWords(link).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it.each([
    [8000, 'next in 8 s'],
    [7001, 'next in 8 s'],
    [1, 'next in 1 s'],
    [0, 'next now'],
    [-5000, 'next now'],
  ])('counts %i ms down to what is due', (leftMs, words) => {
    expect(nextTryWords(1_000_000 + leftMs, 1_000_000).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it('has a word for the state alone that a measurement or a try does not change', () => {
    expect(linkStateWord(LINK_UP)).toBe('Link up');
    expect(linkStateWord({ kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost })).toBe(
      'Link down',
    );
  });
});
