import { expect, it } from 'vitest';
import { reading } from '../detectors/box.fixture.ts';
import type { FleetEntry } from '../streams/fleet-stream.ts';
import { FRESH_MS, judgeWork } from './current-figures.ts';
import { foldReadings } from './latest-figures.ts';

const entry = (...loads: readonly (number | null)[]): FleetEntry =>
  ({
    link: { kind: 'up', sinceMs: 0, latencyMs: null },
    latest: foldReadings(
      0,
      loads.map((smPct, index) => reading({ index, smPct })),
    ),
  }) as unknown as FleetEntry;

it.each([
  [[90, 40], true],
  [[0, 0], false],
  [[90, 0], null],
  [[90, null], null],
  [[], null],
] as const)('cards at %j work: %s', (loads, expected) => {
  expect(judgeWork(entry(...loads), 1000)).toBe(expected);
});

it('knows nothing of cards that were read long ago, or whose link is down', () => {
  expect(judgeWork(entry(90), FRESH_MS + 1)).toBeNull();
  expect(judgeWork({ ...entry(90), link: { kind: 'idle' } }, 1000)).toBeNull();
});
