import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, it } from 'vitest';
import type { Pace } from '../streams/stream-hub.ts';
import { followPace } from './window-pace.ts';

it('believes what a window says, whatever it would answer in the middle of it', () => {
  const window = Object.assign(new EventEmitter(), {
    isVisible: () => false, // mapped a moment after it says that it is shown
    isMinimized: () => false,
  });
  const told: Pace[] = [];
  followPace(window as unknown as BrowserWindow, (pace) => told.push(pace));
  for (const event of ['show', 'minimize', 'restore', 'hide', 'show']) window.emit(event);
  expect(told).toEqual(['visible', 'background', 'visible', 'hidden', 'visible']);
});
