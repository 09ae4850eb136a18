import { describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { LINK_UP } from '../fleet/fleet-entry.fixture.ts';
import {
  afterEndWords,
  clockTone,
  dueWords,
  knownWords,
  skewWords,
  summarizeClocks,
} from './clock-words.ts';
import { at, HOUR_MS as H, sampleBoxClocks, sampleClock } from './clocks.fixture.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');
const said = (part: Parameters<typeof sampleClock>[0]): string => {
  const { figure, after } = dueWords(sampleClock(part), NOW);
  return plain(`${figure} ${after}`).trim();
};

describe('a clock in words', () => {
  it.each([
    [{ due: at(NOW + 76.2 * H) }, '3 d 04:12 left', 'info'],
    [{ due: at(NOW + 23 * H, true) }, 'about 23:00 left', 'warn'],
    [{ due: at(NOW + 6 * H) }, '06:00 left', 'danger'],
    [{ due: at(NOW + H), danger: 'money' }, '01:00 left', 'warn'],
    [{ due: at(NOW + H), danger: 'none' }, '01:00 left', 'info'],
    [{ due: at(NOW - 2 * H) }, 'Over since 2 h', 'danger'],
    [{ due: { kind: 'stopwatch', sinceMs: NOW - H } }, '1 h idle, and nothing ends it', 'warn'],
    [{ due: { kind: 'stopwatch', sinceMs: null } }, 'No end idle, not known since when', 'warn'],
    [{ due: { kind: 'any-time', graceMs: 30_000 } }, 'Any time with 30 s of warning', 'warn'],
    [{ due: { kind: 'any-time', graceMs: 0 } }, 'Any time without a warning', 'warn'],
    [
      { due: { kind: 'any-time', graceMs: null } },
      'Any time how long the warning is, is not known',
      'warn',
    ],
    [{ due: { kind: 'costing', sinceMs: NOW - H } }, 'No end billed for 1 h', 'info'],
    [{ due: { kind: 'unknown', because: 'x' } }, 'Unknown', 'unknown'],
    [{ due: { kind: 'dormant', until: 'stopped' } }, 'Does not run until: stopped', 'off'],
    [{ due: { kind: 'uncounted' } }, 'No time to count down to', 'off'],
  ] as const)('%#: %s', (part, words, tone) => {
    expect({ words: said(part), tone: clockTone(sampleClock(part), NOW) }).toEqual({ words, tone });
  });

  it('says how it is known, and that an old fact is old', () => {
    const platform = { kind: 'platform', verified: '2026-06', source: 'x' } as const;
    expect(knownWords({ ...platform, freshness: { kind: 'fresh', months: 5 } })).toContain(
      '5 months ago',
    );
    expect(knownWords({ ...platform, freshness: { kind: 'stale', months: 7 } })).toMatch(
      /^old platform fact.*look it up$/,
    );
    expect(knownWords({ ...platform, freshness: { kind: 'future' } })).toContain('look it up');
    expect(knownWords({ kind: 'measured' })).toBe('measured on the box');
    expect(knownWords({ kind: 'told' })).toBe('you told us');
    expect(knownWords({ kind: 'estimated', because: 'x' })).toBe('estimated: x');
  });

  it('never says that it happened, and never that it did not, once the time is over', () => {
    const down = { kind: 'down', sinceMs: 0, problem: problem('internal', 'x') } as const;
    expect(afterEndWords(LINK_UP)).toMatch(/has not happened yet, or the time is not right/);
    expect(afterEndWords(down)).toMatch(/may have happened while nobody looked/);
    expect(afterEndWords({ kind: 'idle' })).toMatch(/not known/);
  });

  it('says by how much the clocks are apart, and nothing where they agree', () => {
    expect(skewWords({ kind: 'fine' })).toBeNull();
    expect(plain(skewWords({ kind: 'off', byMs: 7000 }) ?? '')).toContain('7 s ahead of');
    expect(plain(skewWords({ kind: 'off', byMs: -7000 }) ?? '')).toContain('7 s behind');
    expect(skewWords({ kind: 'absurd', byMs: 1e12 })).toContain('nothing is computed');
  });
});

describe('the clocks of a box in a few words', () => {
  const unknown = sampleClock({ id: 'b', due: { kind: 'unknown', because: 'not told' } });

  it('are those of the nearest, with a hint of those that nobody knows', () => {
    const clocks = sampleBoxClocks([sampleClock({ due: at(NOW + 26 * H, true) }), unknown]);
    const summary = summarizeClocks(clocks, NOW);
    expect(summary).toMatchObject({ tone: 'info', atMs: NOW + 26 * H });
    expect(plain(summary?.words ?? '')).toBe('~1 d left');
    expect(summary?.title).toContain('1 more clock may be running');
  });

  it('are “unknown” and not nothing where a clock may be running', () => {
    expect(summarizeClocks(sampleBoxClocks([unknown]), NOW)).toMatchObject({
      tone: 'unknown',
      words: 'unknown',
      atMs: null,
    });
    expect(summarizeClocks(sampleBoxClocks([]), NOW)).toBeNull();
    expect(summarizeClocks(null, NOW)).toBeNull();
  });
});
