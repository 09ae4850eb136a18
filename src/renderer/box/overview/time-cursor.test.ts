import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  cursorDropped,
  cursorLeft,
  cursorMoved,
  cursorPinned,
  cursorPointed,
  useTimeCursor,
} from './time-cursor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cursorDropped();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const places = (): readonly (number | null)[] => {
  const { at, readAt } = useTimeCursor.getState();
  return [at, readAt];
};

it('follows a pointer at once, and with the tables a few times a second', () => {
  const read = vi.fn();
  const stop = useTimeCursor.subscribe(({ readAt }, before) => {
    if (readAt !== before.readAt) read(readAt);
  });
  for (let frame = 1; frame <= 60; frame += 1) {
    cursorPointed(frame / 60, 'sm');
    expect(places()[0]).toBe(frame / 60);
    vi.advanceTimersByTime(16);
  }
  expect(read.mock.calls.length).toBeGreaterThan(5);
  expect(read.mock.calls.length).toBeLessThan(15);
  vi.advanceTimersByTime(100);
  expect(places()).toEqual([1, 1]);
  stop();
});

it('moves both at once by keyboard, so that it is heard', () => {
  cursorPointed(0.2, 'sm');
  cursorMoved(1.5, 'sm');
  expect(places()).toEqual([1, 1]);
  vi.advanceTimersByTime(1000);
  expect(places()).toEqual([1, 1]);
});

it('takes the tables back to now, or to where it is pinned, when the pointer leaves', () => {
  cursorPointed(0.2, 'sm');
  cursorLeft();
  vi.advanceTimersByTime(1000);
  expect(places()).toEqual([null, null]);
  cursorPointed(0.4, 'sm');
  cursorPinned(0.4);
  cursorPointed(0.9, 'sm');
  cursorLeft();
  vi.advanceTimersByTime(1000);
  expect(places()).toEqual([0.4, 0.4]);
});
