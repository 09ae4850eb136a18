import { describe, expect, it } from 'vitest';
import { reading } from '../detectors/box.fixture.ts';
import type { BoxLoad } from './box-load.ts';
import { judgeWork, readCurrent, readSeenMs } from './current-figures.ts';
import { foldReadings } from './latest-figures.ts';

const figures = (...loads: readonly (number | null)[]) =>
  foldReadings(
    7,
    loads.map((smPct, index) => reading({ index, smPct })),
  );
const UP = { kind: 'up', sinceMs: 0, latencyMs: null } as const;
const WORKING: BoxLoad = { kind: 'working', smPct: 90 };
const STALE: BoxLoad = { kind: 'stale', seenAtMs: 5 };

describe('what is known of the cards of a box at present', () => {
  it('is what was read last, while main says that it is fresh and the link is up', () => {
    const latest = figures(90);
    expect(readCurrent({ load: WORKING, link: UP }, latest)).toBe(latest);
    expect(readCurrent({ load: STALE, link: UP }, latest)).toBeNull();
    expect(readCurrent({ load: null, link: UP }, latest)).toBeNull();
    expect(readCurrent({ load: WORKING, link: { kind: 'idle' } }, latest)).toBeNull();
    expect(readCurrent({ load: WORKING, link: UP }, undefined)).toBeNull();
  });

  it('says when it was read', () => {
    expect(readSeenMs(WORKING, figures(90))).toBe(7);
    expect(readSeenMs(STALE, figures(90))).toBe(5);
    expect(readSeenMs(WORKING, undefined)).toBeNull();
  });
});

it.each([
  [[90, 40], true],
  [[0, 0], false],
  [[90, 0], null],
  [[90, null], null],
  [[], null],
] as const)('cards at %j work: %s', (loads, expected) => {
  expect(judgeWork(figures(...loads))).toBe(expected);
});

it('knows of no work where nothing is known of the present', () => {
  expect(judgeWork(null)).toBeNull();
});
