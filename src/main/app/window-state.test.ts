import { describe, expect, it } from 'vitest';
import {
  DEFAULT_WINDOW_STATE,
  parseWindowState,
  selectBounds,
  type WindowState,
} from './window-state.ts';

const LAPTOP = { x: 0, y: 25, width: 1440, height: 875 };
const DESK = { x: 1440, y: 0, width: 2560, height: 1440 };

const at = (x: number, y: number, width = 1000, height = 700): WindowState => ({
  bounds: { x, y, width, height },
  isMaximized: false,
  theme: 'system',
});

describe('selectBounds', () => {
  it('centres a first window on the first screen, within it', () => {
    expect(selectBounds(DEFAULT_WINDOW_STATE, [LAPTOP])).toEqual(LAPTOP);
    expect(selectBounds(DEFAULT_WINDOW_STATE, [DESK])).toEqual({
      x: 1440 + 560,
      y: 270,
      width: 1440,
      height: 900,
    });
  });

  it('puts the window back where it was, on any screen', () => {
    expect(selectBounds(at(1600, 100), [LAPTOP, DESK])).toEqual(at(1600, 100).bounds);
    expect(selectBounds(at(-800, 100), [LAPTOP])).toEqual(at(-800, 100).bounds);
  });

  it.each([
    ['its screen is gone', at(1600, 100)],
    ['its title bar is above the screen', at(100, -300)],
    ['its title bar is below the screen', at(100, 880)],
    ['only a sliver is left', at(-990, 100)],
  ])('brings it back when %s', (_why, state) => {
    expect(selectBounds(state, [LAPTOP])).toEqual({ x: 220, y: 113, width: 1000, height: 700 });
  });

  it('never opens larger than the screen or smaller than usable', () => {
    expect(selectBounds(at(10, 30, 5000, 5000), [LAPTOP])).toMatchObject({
      width: 1440,
      height: 875,
    });
    expect(selectBounds(at(10, 30, 10, 10), [LAPTOP])).toMatchObject({ width: 940, height: 620 });
  });
});

describe('parseWindowState', () => {
  it.each([{ bounds: null, isMaximized: true, theme: 'dark' }, at(1, 2)])('reads %j', (state) => {
    expect(parseWindowState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    null,
    'x',
    [],
    {},
    { isMaximized: true, theme: 'dark' },
    { bounds: null, theme: 'dark' },
    { bounds: null, isMaximized: true },
    { bounds: null, isMaximized: true, theme: 'pink' },
    { bounds: {}, isMaximized: true, theme: 'dark' },
    at(0.5, 0),
    at(0, 0, 0, 0),
    { ...at(0, 0), bounds: { x: '1', y: 1, width: 1, height: 1 } },
  ])('refuses %j', (value) => {
    expect(parseWindowState(value)).toBeNull();
  });
});
