import type { BrowserWindow } from 'electron';
import type { Pace } from '../streams/stream-hub.ts';

/**
 * Tells how visible a window is each time that it changes. What the window says counts: asked in the middle of it, it may still
 * answer what was before, and a window that is taken for hidden is told nothing until it is hidden and shown again.
 */
export function followPace(window: Pick<BrowserWindow, 'on'>, tell: (pace: Pace) => void): void {
  window.on('show', () => tell('visible'));
  window.on('hide', () => tell('hidden'));
  window.on('minimize', () => tell('background'));
  window.on('restore', () => tell('visible'));
}
