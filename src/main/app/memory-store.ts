import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import ElectronStore from 'electron-store';
import { OWNER_ONLY_FILE } from '../storage/folder.ts';
import { REMEMBERED_FILE } from './peek-window-state.ts';
import type { Keep, Memory } from './window-memory.ts';

/** The library, and the only file that knows it: loaded when there is something to write. */
export function openMemoryStore(folder: string): Keep {
  const store = new ElectronStore<Memory>({
    cwd: folder,
    name: basename(REMEMBERED_FILE, '.json'),
    configFileMode: OWNER_ONLY_FILE,
    accessPropertiesByDotNotation: false,
  });
  const holds = (memory: Memory): boolean => {
    try {
      return isDeepStrictEqual({ ...store.store }, memory);
    } catch (cause) {
      if (cause instanceof SyntaxError) return false;
      throw cause;
    }
  };
  return (memory) => {
    store.store = memory;
    if (holds(memory)) return;
    // On a disk that is nearly full its writer puts a part over the good file without a word (decision 4). A part is of no use.
    rmSync(store.path);
    throw new Error(`${store.path} does not hold what was written to it`);
  };
}
