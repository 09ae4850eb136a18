import { describe, expect, it } from 'vitest';
import { noise } from '../probes/sample.fixture.ts';
import { BETWEEN, CLEAR, unknown, type Found, type Judgement } from './finding.ts';
import { settle, UNSETTLED, type Settled, type Belief } from './settle.ts';

const TIMES = { foundAfterMs: 10_000, clearAfterMs: 20_000, maxGapMs: 15_000 };

const FOUND: Found = {
  kind: 'found',
  severity: 'warn',
  says: { variant: 'so', values: {} },
  wastedShare: null,
  clues: [],
  caveat: null,
};
const BLIND = unknown('it was not told');

type Step = readonly [atS: number, judgement: Judgement];

function run(steps: readonly Step[], from: Settled = UNSETTLED): Settled {
  return steps.reduce((state, [atS, each]) => settle(state, TIMES, each, atS * 1000), from);
}

/** One judgement a second, over this time. */
function each(fromS: number, toS: number, judgement: Judgement): Step[] {
  return Array.from({ length: toS - fromS + 1 }, (_, i) => [fromS + i, judgement]);
}

const kindAfter = (steps: readonly Step[]): Belief['kind'] => run(steps).belief.kind;

describe('what it takes to be believed', () => {
  it('begins with unknown, and says neither found nor clear before its time', () => {
    expect(UNSETTLED.belief.kind).toBe('unknown');
    expect(kindAfter(each(0, 9, FOUND))).toBe('unknown');
    expect(kindAfter(each(0, 10, FOUND))).toBe('found');
    expect(kindAfter(each(0, 19, CLEAR))).toBe('unknown');
    expect(kindAfter(each(0, 20, CLEAR))).toBe('clear');
  });

  it('counts the time of the data, not the samples', () => {
    const many = Array.from({ length: 500 }, (_, i): Step => [i / 100, FOUND]);
    expect(kindAfter(many)).toBe('unknown');
    expect(
      kindAfter([
        [0, FOUND],
        [10, FOUND],
      ]),
    ).toBe('found');
  });

  it('dates a finding from the first sign of it, and says when it was last seen', () => {
    const { belief } = run([
      ...each(0, 30, CLEAR),
      ...each(31, 50, FOUND),
      ...each(51, 55, BETWEEN),
    ]);
    expect(belief).toMatchObject({ kind: 'found', sinceMs: 31_000, lastSeenMs: 50_000 });
  });

  it('is not seen anew by being judged while the box says nothing', () => {
    const found = run(each(0, 12, FOUND));
    const later = settle(found, TIMES, FOUND, 20_000, 12_000);
    expect(later).toMatchObject({ atMs: 20_000, belief: { kind: 'found', lastSeenMs: 12_000 } });
    // A clock that was set back on the box gives no time to come.
    const set = settle(found, TIMES, FOUND, 20_000, 90_000);
    expect(set.belief).toMatchObject({ lastSeenMs: 20_000 });
  });

  it('begins anew when the opposite comes in between', () => {
    expect(
      kindAfter([
        ...each(0, 20, CLEAR),
        ...each(21, 30, FOUND),
        [31, CLEAR],
        ...each(32, 41, FOUND),
      ]),
    ).toBe('clear');
    expect(
      kindAfter([
        ...each(0, 20, FOUND),
        ...each(21, 40, CLEAR),
        [41, FOUND],
        ...each(42, 61, CLEAR),
      ]),
    ).toBe('found');
  });

  it('lets `between` ask for nothing and interrupt nothing', () => {
    expect(kindAfter([[0, FOUND], ...each(1, 9, BETWEEN), [10, FOUND]])).toBe('found');
    expect(kindAfter([...each(0, 10, FOUND), ...each(11, 300, BETWEEN)])).toBe('found');
    expect(kindAfter([...each(0, 20, CLEAR), ...each(21, 300, BETWEEN)])).toBe('clear');
    expect(kindAfter(each(0, 300, BETWEEN))).toBe('unknown');
  });
});

describe('what cannot be seen', () => {
  it('outlives a missing sample or two, and is unknown after that', () => {
    const found = each(0, 10, FOUND);
    expect(kindAfter([...found, ...each(11, 15, BLIND)])).toBe('found');
    expect(kindAfter([...found, ...each(11, 16, BLIND)])).toBe('unknown');
  });

  it('never turns to clear by not being looked at', () => {
    const state = run([...each(0, 10, FOUND), ...each(11, 600, BLIND)]);
    expect(state.belief).toMatchObject({
      kind: 'unknown',
      because: 'it was not told',
      before: { sinceMs: 0, lastSeenMs: 10_000 },
    });
  });

  it('is unknown after a gap, and needs its whole time again', () => {
    expect(run([...each(0, 40, CLEAR), [56, CLEAR]]).belief).toMatchObject({
      kind: 'unknown',
      because: 'nothing was read for 16 s',
    });
    expect(kindAfter([...each(0, 40, CLEAR), ...each(56, 75, CLEAR)])).toBe('unknown');
    expect(kindAfter([...each(0, 40, CLEAR), ...each(56, 76, CLEAR)])).toBe('clear');
    expect(kindAfter([...each(0, 40, FOUND), [56, FOUND]])).toBe('unknown');
  });

  it('goes on with the finding of before a gap, because nobody saw it clear', () => {
    const { belief } = run([...each(0, 40, FOUND), ...each(100, 110, FOUND)]);
    expect(belief).toMatchObject({ kind: 'found', sinceMs: 0, lastSeenMs: 110_000 });
  });

  it('forgets that finding once it was seen clear', () => {
    const seenClear = run([
      ...each(0, 40, FOUND),
      ...each(100, 120, CLEAR),
      ...each(121, 131, FOUND),
    ]);
    expect(seenClear.belief).toMatchObject({ kind: 'found', sinceMs: 121_000 });
  });

  it('forgets everything when the clock is set back', () => {
    const { belief } = run([...each(1000, 1040, FOUND), [500, FOUND]]);
    expect(belief).toEqual({ kind: 'unknown', because: 'the clock was set back', before: null });
    expect(kindAfter([...each(1000, 1040, CLEAR), [500, CLEAR]])).toBe('unknown');
  });

  it('takes repeated and late samples for what they are: already counted', () => {
    const state = run(each(0, 40, FOUND));
    expect(settle(state, TIMES, CLEAR, 40_000)).toBe(state);
    expect(settle(state, TIMES, CLEAR, 38_500)).toBe(state);
    expect(settle(state, TIMES, CLEAR, NaN)).toBe(state);
  });

  it('is the same object while nothing changes', () => {
    const before = run(each(0, 40, BLIND));
    expect(run([[41, BLIND]], before).belief).toBe(before.belief);
    const clear = run(each(0, 40, CLEAR));
    expect(run([[41, CLEAR]], clear).belief).toBe(clear.belief);
  });
});

describe('on a noisy border', () => {
  /** Changes between found and clear, with the time of each. */
  function changes(random: () => number, odds: (atS: number) => readonly number[]): number[] {
    const judgements = [FOUND, BETWEEN, CLEAR, BLIND];
    let state = UNSETTLED;
    let last: 'found' | 'clear' | null = null;
    const times: number[] = [];
    for (let atS = 0; atS < 3600; atS += 1) {
      let dice = random();
      const pick = odds(atS).findIndex((share) => (dice -= share) < 0);
      state = settle(state, TIMES, judgements[pick] ?? BETWEEN, atS * 1000);
      const { kind } = state.belief;
      if (kind !== 'unknown' && kind !== last) {
        if (last !== null) times.push(atS);
        last = kind;
      }
    }
    return times;
  }

  it.each([1, 2, 3, 4, 5])('does not change while the signs contradict each other (%i)', (seed) => {
    const mixed = (atS: number): readonly number[] =>
      atS % 10 === 0 ? [1, 0, 0, 0] : atS % 10 === 5 ? [0, 0, 1, 0] : [0.3, 0.3, 0.3, 0.1];
    expect(changes(noise(seed), mixed)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])('never changes faster than its times allow (%i)', (seed) => {
    const times = changes(noise(seed), (atS) =>
      Math.floor(atS / 37) % 2 ? [1, 0, 0, 0] : [0, 0, 1, 0],
    );
    expect(times.length).toBeGreaterThan(10);
    for (const [i, atS] of times.entries()) {
      const before = times[i - 1];
      if (before !== undefined) expect(atS - before).toBeGreaterThanOrEqual(10);
    }
  });
});
