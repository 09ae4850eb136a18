import { expect, it } from 'vitest';
import { legendPlaces } from './paint-drawing.ts';

it('goes on in another row where a legend is wider than its picture', () => {
  expect(legendPlaces([100, 100, 100, 300, 50], 240)).toEqual([
    { leftPx: 0, row: 0 },
    { leftPx: 116, row: 0 },
    { leftPx: 0, row: 1 },
    { leftPx: 0, row: 2 },
    { leftPx: 0, row: 3 },
  ]);
});
