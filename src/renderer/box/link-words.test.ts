import { describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { LINK_UP } from '../fleet/fleet-entry.fixture.ts';
import { linkStateWord, linkTone, linkWords } from './link-words.ts';

const key = { type: 'ssh-ed25519', fingerprint: 'SHA256:a' };
const lost = problem('link-lost', 'lost');

describe('linkWords', () => {
  it.each([
    [{ kind: 'idle' }, 'off', 'Not connected'],
    [{ kind: 'connecting', attempt: 1, sinceMs: 0 }, 'wait', 'Connecting'],
    [{ kind: 'connecting', attempt: 2, sinceMs: 0 }, 'wait', 'Connecting · try 2'],
    [LINK_UP, 'ok', 'Link up · 38 ms'],
    [{ kind: 'up', sinceMs: 0, latencyMs: null }, 'ok', 'Link up'],
    [{ kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost }, 'warn', 'Link down · try 3'],
    [{ kind: 'host-key-unknown', offered: key, jumpHost: null }, 'warn', 'Host key unknown'],
    [
      { kind: 'host-key-changed', offered: key, stored: key, storedAtMs: 0, jumpHost: null },
      'danger',
      'Host key changed',
    ],
    [{ kind: 'down', sinceMs: 0, problem: lost }, 'danger', 'Link down · needs you'],
  ] as const)('says of %j: %s, %s', (link, tone, words) => {
    expect(linkTone(link)).toBe(tone);
    expect(linkWords(link).replaceAll('\u00a0', ' ')).toBe(words);
  });

  it('has a word for the state alone that a measurement or a try does not change', () => {
    expect(linkStateWord(LINK_UP)).toBe('Link up');
    expect(linkStateWord({ kind: 'waiting', attempt: 3, retryAtMs: 0, problem: lost })).toBe(
      'Link down',
    );
  });
});
