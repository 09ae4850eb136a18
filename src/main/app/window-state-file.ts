import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../log/log.ts';
import { replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { DEFAULT_WINDOW_STATE, parseWindowState, type WindowState } from './window-state.ts';

export interface WindowStateFile {
  readonly current: () => WindowState;
  readonly change: (part: Partial<WindowState>) => void;
  /** Resolves when everything asked for is on disk; quitting waits for it. */
  readonly settled: () => Promise<void>;
}

/** Losing this file costs a window position, so trouble with it goes to the log and not to the person. */
export function openWindowState(folder: string, log: Log): WindowStateFile {
  const file = join(folder, 'window.json');
  let state = read(file, log);
  let isDirty = false;
  let writing: Promise<void> | null = null;
  // Not before a change: the first window waits for nothing that it does not need.
  let isSwept = false;

  async function write(): Promise<void> {
    while (isDirty) {
      isDirty = false; // a dragged window moves a hundred times; only the last position is worth a write
      try {
        if (!isSwept) await sweepTemporaries(file);
        isSwept = true;
        await replaceFile(file, JSON.stringify(state));
      } catch (cause) {
        log.warn('window position not saved', { cause });
      }
    }
    writing = null;
  }

  return {
    current: () => state,
    change: (part) => {
      state = { ...state, ...part };
      isDirty = true;
      writing ??= write();
    },
    settled: async () => {
      await writing;
    },
  };
}

function read(file: string, log: Log): WindowState {
  try {
    const state = parseWindowState(JSON.parse(readFileSync(file, 'utf8')));
    if (state !== null) return state;
    log.warn('window position not understood', { file });
  } catch (cause) {
    const isFirstStart = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isFirstStart) log.warn('window position not read', { cause });
  }
  return DEFAULT_WINDOW_STATE;
}
