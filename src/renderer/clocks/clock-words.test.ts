import { describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { LINK_UP } from '../fleet/fleet-entry.fixture.ts';
import { clockTone, dueWords, knownWords, summarizeClocks } from './clock-words.ts';
import { afterEndWords } from './after-end-words.ts';
import { skewWords } from './skew-words.ts';
import { at, HOUR_MS as H, sampleBoxClocks, sampleClock } from './clocks.fixture.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const plain = (text: string): string => text.replace(/\u00a0/g, ' ');
const said = (part: Parameters<typeof sampleClock>[0]): string => {
  const { figure, after } = dueWords(sampleClock(part), NOW);
  return plain(`${figure} ${after}`).trim();
};

describe('a clock in words', () => {
  it.each([
    [{ due: at(NOW + 76.2 * H) }, '3 d 4 h left', 'info'],
    [{ due: at(NOW + 23 * H, true) }, '23 h left (estimate)', 'warn'],
    [{ due: at(NOW + 6 * H) }, '6 h left', 'danger'],
    [{ due: at(NOW + H), danger: 'money' }, '1 h left', 'warn'],
    [{ due: at(NOW + H), danger: 'none' }, '1 h left', 'info'],
    [{ due: at(NOW - 2 * H) }, 'Time over for 2 h', 'danger'],
    [{ due: { kind: 'stopwatch', sinceMs: NOW - H } }, '1 h idle, and nothing ends it', 'warn'],
    [{ due: { kind: 'stopwatch', sinceMs: null } }, 'No end idle, unknown since when', 'warn'],
    [{ due: { kind: 'any-time', graceMs: 30_000 } }, 'Any time with 30 s of warning', 'warn'],
    [{ due: { kind: 'any-time', graceMs: 0 } }, 'Any time without a warning', 'warn'],
    [
      { due: { kind: 'any-time', graceMs: null } },
      'Any time with a warning of unknown length',
      'warn',
    ],
    [{ due: { kind: 'costing', sinceMs: NOW - H } }, 'No end billed for 1 h', 'info'],
    [
      { due: { kind: 'unconfirmed', sinceMs: NOW - H, remindsAtMs: NOW + 3 * H } },
      '1 h since you approved it; reminder in 3 h',
      'warn',
    ],
    [
      { due: { kind: 'unconfirmed', sinceMs: NOW - H, remindsAtMs: NOW } },
      '1 h since you approved it; reminder due',
      'warn',
    ],
    [
      { due: { kind: 'unconfirmed', sinceMs: NOW - H, remindsAtMs: null } },
      '1 h since you approved it',
      'warn',
    ],
    [{ due: { kind: 'unknown', because: 'x' } }, '', 'unknown'],
    [{ due: { kind: 'dormant', until: 'stopped' } }, 'Not running until: stopped', 'off'],
    [{ due: { kind: 'uncounted' } }, 'No timer', 'off'],
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
    expect(knownWords({ kind: 'told' })).toBe('entered by you');
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
  const unknown = sampleClock({
    id: 'b',
    event: 'Forced stop',
    due: { kind: 'unknown', because: 'not told' },
  });

  it('are those of the nearest, with a hint of those that nobody knows', () => {
    const clocks = sampleBoxClocks([sampleClock({ due: at(NOW + 26 * H, true) }), unknown]);
    const summary = summarizeClocks(clocks, NOW);
    expect(summary).toMatchObject({ tone: 'info', event: 'Auto release', atMs: NOW + 26 * H });
    expect(plain(summary?.words ?? '')).toBe('~1 d 2 h left');
    expect(summary?.title).toMatch(/^Auto release, 1.d 2.h left/);
    expect(summary?.title).toContain('1 more deadline may be running');
  });

  it('name what may be running, and what is to be done to know it', () => {
    const balance = { ...unknown, entry: { kind: 'balance' } } as const;
    expect(summarizeClocks(sampleBoxClocks([balance]), NOW)).toMatchObject({
      tone: 'unknown',
      event: null,
      words: 'Forced stop',
      title: 'May be running:\nForced stop · enter balance',
      atMs: null,
    });
    // One of several is not the only one.
    const unmoved = { ...unknown, entry: null };
    const two = summarizeClocks(
      sampleBoxClocks([unmoved, { ...unmoved, id: 'c', event: 'Wipe' }]),
      NOW,
    );
    expect(two).toMatchObject({ tone: 'unknown', event: null, words: 'Forced stop +1' });
    // Nothing that a person could enter would tell these: their reasons do.
    expect(two?.title).toBe('May be running:\nForced stop · not told\nWipe · not told');
    expect(summarizeClocks(sampleBoxClocks([]), NOW)).toBeNull();
    expect(summarizeClocks(null, NOW)).toBeNull();
  });
});

describe('the clock that stands for a box', () => {
  const words = (...clocks: readonly Parameters<typeof sampleClock>[0][]): string =>
    plain(
      summarizeClocks(
        sampleBoxClocks(clocks.map((part, i) => sampleClock({ id: String(i), ...part }))),
        NOW,
      )?.words ?? '',
    );

  it('is the next that can still hurt, and not one whose time has passed', () => {
    const passed = { due: at(NOW - H) };
    expect(words(passed, { due: at(NOW + 6 * H) })).toBe('6 h left');
    expect(words(passed, { due: { kind: 'any-time', graceMs: 0 } })).toBe('any time');
    // What bills without an end hurts nobody at a moment.
    expect(words(passed, { due: { kind: 'costing', sinceMs: null } })).toBe('time over');
    expect(words(passed)).toBe('time over');
  });

  it('has the minutes of an estimate only where they are what is left', () => {
    expect(words({ due: at(NOW + 10.9 * H, true) })).toBe('~10 h left');
    expect(words({ due: at(NOW + 2.5 * H, true) })).toBe('~2 h 30 min left');
    expect(words({ due: at(NOW + 10.5 * H) })).toBe('10 h 30 min left');
  });
});
