import { join } from 'node:path';
import { readOwnTextNow } from '../storage/own-text.ts';
import { DEFAULT_WINDOW_STATE, parseWindowState, type WindowState } from './window-state.ts';

/** What the window remembers: `window-memory.ts` reads and writes all of it. */
export const REMEMBERED_FILE = 'remembered.json';
/** Where an earlier version kept the state of the window alone. */
export const FORMER_WINDOW_FILE = 'window.json';

/**
 * How the window was, read before it opens and so without any library. What cannot be read is no reason to wait or to
 * complain here: who reads the whole file says so.
 */
export function peekWindowState(folder: string): WindowState {
  const { window } = (readJson(join(folder, REMEMBERED_FILE)) ?? {}) as Record<string, unknown>;
  return parseWindowState(window) ?? formerWindowState(folder) ?? DEFAULT_WINDOW_STATE;
}

export function formerWindowState(folder: string): WindowState | null {
  return parseWindowState(readJson(join(folder, FORMER_WINDOW_FILE)));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readOwnTextNow(file));
  } catch {
    return null;
  }
}
