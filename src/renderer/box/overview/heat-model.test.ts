import { describe, expect, it } from 'vitest';
import { HEAT_CELLS } from './heat-model.ts';
import { summariseHeat } from './heat-words.ts';
import { modelOf, ringOf } from './series.fixture.ts';

const axis = { fromMs: 0, toMs: 299_000 };
const cellsOf = (id: string, model = modelOf([ringOf(300)], 'heat', { axis })) =>
  model.heat.find(({ kind }) => kind.id === id)?.rows[0]?.cells ?? [];

describe('buildHeat', () => {
  it('has five strips of cells between 0 and what the card can do, and no charts', () => {
    const model = modelOf([ringOf(300), ringOf(300)], 'heat', { axis });
    expect(model.charts).toEqual([]);
    expect(model.heat.map(({ kind, rows }) => [kind.id, rows.length])).toEqual([
      ['sm', 2],
      ['clock', 2],
      ['power', 2],
      ['temperature', 2],
      ['vram', 2],
    ]);
    expect(cellsOf('sm')).toHaveLength(HEAT_CELLS);
    expect(cellsOf('sm')[30]).toBeCloseTo(0.7);
    expect(cellsOf('power')[30]).toBeCloseTo(250 / 400);
    expect(cellsOf('vram')[30]).toBeCloseTo(20 / 80);
  });

  it('lets a dip of the clock and a peak of heat of one second survive', () => {
    const spike = ringOf(300, (i) => (i === 152 ? { smClockMHz: 141, temperatureC: 95 } : {}));
    const model = modelOf([spike], 'heat', { axis });
    expect(Math.min(...cellsOf('clock', model).map((cell) => cell ?? 1))).toBeCloseTo(0.1);
    expect(Math.max(...cellsOf('temperature', model).map((cell) => cell ?? 0))).toBe(1);
  });

  it('leaves a cell empty in which nothing was reported, and never makes it 0', () => {
    const half = ringOf(300, (i) => (i < 150 ? {} : { smPct: null }));
    const cells = cellsOf('sm', modelOf([half], 'heat', { axis }));
    expect(cells[10]).toBeCloseTo(0.7);
    expect(cells.slice(31)).toEqual(Array.from({ length: HEAT_CELLS - 31 }, () => null));
  });

  it('has no holes where a point stands for longer than a cell', () => {
    const model = modelOf([ringOf(30)], 'heat', { axis: { fromMs: 0, toMs: 29_000 } });
    expect(cellsOf('sm', model).every((cell) => cell !== null)).toBe(true);
  });
});

it('is told in words, too', () => {
  const model = modelOf([ringOf(300), ringOf(10, () => ({ powerW: null }))], 'heat', { axis });
  const power = model.heat.find(({ kind }) => kind.id === 'power');
  const words = power === undefined ? '' : summariseHeat(power, model);
  expect(words.replace(/[\u202f\u00a0]/g, ' ')).toBe(
    'Power of each GPU, last 4 min. GPU 0: 250 W; GPU 1: not reported.',
  );
});
