import { expect, it } from 'vitest';
import { reading } from '../detectors/box.fixture.ts';
import { foldReadings } from './latest-figures.ts';

it('folds the cards of a sample into one figure each', () => {
  const cards = [
    reading({ smPct: 100, smClockMHz: 1980, powerW: 600, memoryUsedMiB: 300, temperatureC: 61 }),
    reading({ smPct: 50, smClockMHz: 1200, powerW: 400, memoryUsedMiB: 100, temperatureC: 84 }),
    reading({ smPct: 0, smClockMHz: 1500, powerW: 100, memoryUsedMiB: 0, temperatureC: 30 }),
  ];
  expect(foldReadings(7, cards)).toEqual({
    atMs: 7,
    cards: 3,
    working: 2,
    unreported: 0,
    smPct: 50,
    smClockMHz: 1200,
    powerW: 1100,
    memoryUsedMiB: 400,
    temperatureC: 84,
  });
});

it('leaves out of a mean and an extreme what one card does not report, and gives no sum of a part', () => {
  const nothing = { smPct: null, smClockMHz: null, powerW: null, temperatureC: null } as const;
  const one = reading({ smPct: 80, smClockMHz: 900, powerW: 100, temperatureC: 40 });
  expect(foldReadings(0, [one, reading(nothing)])).toMatchObject({
    cards: 2,
    working: 1,
    unreported: 1,
    smPct: 80,
    smClockMHz: 900,
    powerW: null,
    temperatureC: 40,
  });
});

it('knows nothing of no card, and 0 of none', () => {
  const none = { smPct: null, smClockMHz: null, powerW: null, memoryUsedMiB: null };
  expect(foldReadings(0, [])).toMatchObject({ cards: 0, ...none, temperatureC: null });
});
