import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paintSoon } from './paint-queue.ts';
import { useFrameLater } from './use-frame-later.ts';

let waiting: FrameRequestCallback[] = [];

beforeEach(() => {
  waiting = [];
  vi.stubGlobal('requestAnimationFrame', (drawn: FrameRequestCallback) => waiting.push(drawn));
});
afterEach(() => vi.unstubAllGlobals());

const draw = (): void => act(() => waiting.splice(0).forEach((drawn) => drawn(0)));
const render = () => {
  const seen: number[] = [];
  const hook = renderHook(
    ({ value }) => {
      const shown = useFrameLater(value);
      seen.push(shown);
      return shown;
    },
    { initialProps: { value: 1 } },
  );
  return { ...hook, seen };
};

it('gives a value after the frame that its change is drawn in', () => {
  const { result, rerender } = render();
  expect(result.current).toBe(1);
  rerender({ value: 2 });
  draw();
  expect(result.current).toBe(1);
  draw();
  expect(result.current).toBe(2);
  expect(waiting).toEqual([]);
});

it('skips what is replaced before it is drawn, and is not put off by that', () => {
  const { result, rerender, seen } = render();
  rerender({ value: 2 });
  draw();
  rerender({ value: 3 });
  draw();
  expect(result.current).toBe(3);
  expect(seen).not.toContain(2);
});

it('keeps the value where it came back before it was drawn', () => {
  const { result, rerender } = render();
  rerender({ value: 2 });
  draw();
  rerender({ value: 1 });
  draw();
  expect(result.current).toBe(1);
});

it('waits behind the canvases', () => {
  const { result, rerender } = render();
  const painted: string[] = [];
  for (const name of ['a', 'b', 'c']) paintSoon({ name }, () => painted.push(name));
  rerender({ value: 2 });
  draw();
  draw();
  expect([painted, result.current]).toEqual([['a', 'b'], 1]);
  draw();
  expect([painted, result.current]).toEqual([['a', 'b', 'c'], 2]);
});

it('draws nothing once it is gone', () => {
  const { rerender, unmount, seen } = render();
  rerender({ value: 2 });
  unmount();
  draw();
  draw();
  expect(seen).not.toContain(2);
  expect(waiting).toEqual([]);
});
