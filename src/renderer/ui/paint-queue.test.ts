import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paintNoMore, paintSoon } from './paint-queue.ts';

let frames: FrameRequestCallback[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => void vi.unstubAllGlobals());

/** What one frame paints. */
function nextFrame(painted: string[]): readonly string[] {
  for (const frame of frames.splice(0)) frame(0);
  return painted.splice(0);
}

const canvases = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  Object.assign(document.createElement('canvas'), { title: name }),
);
const [, b, , , e] = canvases as [HTMLCanvasElement, HTMLCanvasElement, never, never, never];

it('shares the canvases out over frames, and asks for none when all are painted', () => {
  const painted: string[] = [];
  for (const canvas of canvases) paintSoon(canvas, () => painted.push(canvas.title));
  expect([nextFrame(painted), nextFrame(painted), nextFrame(painted), nextFrame(painted)]).toEqual([
    [], // the figures'
    ['a', 'b'],
    ['c', 'd'],
    ['e'],
  ]);
  expect(frames).toEqual([]);
});

it('lets every canvas have its turn where new pictures come faster than frames', () => {
  const painted: string[] = [];
  const all: string[] = [];
  paintSoon(b, () => painted.push('b0'));
  nextFrame(painted);
  for (let round = 1; round <= 5; round += 1) {
    for (const canvas of canvases) {
      paintSoon(canvas, () => painted.push(`${canvas.title}${String(round)}`));
    }
    all.push(...nextFrame(painted));
  }
  // Always the newest picture of each, and nobody is passed over.
  expect(all).toEqual(['b1', 'a1', 'c2', 'd2', 'e3', 'a3', 'b4', 'c4', 'd5', 'a5']);
  for (const canvas of canvases) paintNoMore(canvas);
  nextFrame(painted);
});

it('paints no canvas that is gone', () => {
  const painted: string[] = [];
  for (const canvas of canvases) paintSoon(canvas, () => painted.push(canvas.title));
  paintNoMore(b);
  paintNoMore(e);
  expect([nextFrame(painted), nextFrame(painted), nextFrame(painted), nextFrame(painted)]).toEqual([
    [],
    ['a', 'c'],
    ['d'],
    [],
  ]);
});
