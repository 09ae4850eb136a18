import { expect, it } from 'vitest';
import type { LatestFigures } from '../telemetry/latest-figures.ts';
import {
  emptyFigures,
  figuresFromWire,
  figuresStream,
  figuresToWire,
  type FiguresDelta,
} from './figures-stream.ts';
import { foldBatch } from './stream.ts';

const at = (boxId: string, smPct: number): FiguresDelta => ({
  boxId,
  figures: { smPct } as LatestFigures,
});

it('brings a window that comes later, or missed something, to the same figures', () => {
  const main = [at('a', 1), at('b', 2)].reduce(figuresStream.apply, emptyFigures());
  const snapshot = figuresToWire(main);
  const deltas = [at('a', 3), { boxId: 'b', figures: null }, at('c', 4)];
  const later = deltas.reduce(figuresStream.apply, main);
  // What was taken for one window does not change while it is on its way.
  expect(snapshot).toHaveLength(2);
  const cursor = { seq: 2, state: figuresFromWire(snapshot) };
  const window = foldBatch(figuresStream, cursor, { firstSeq: 3, deltas });
  expect(window).toEqual({ seq: 5, state: figuresFromWire(figuresToWire(later)) });
  expect(later).not.toBe(main);
});
