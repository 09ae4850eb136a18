import { watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../log/log.ts';

/** Editors write a file in several steps; one change is told once. */
const SETTLE_MS = 300;

export interface FileWatch {
  /** These from now on. */
  readonly follow: (files: Iterable<string>) => void;
  readonly close: () => void;
}

/** Watches the folders of files, because an editor replaces a file rather than writing into it. */
export function watchFiles(onChange: () => void, log: Log): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  };
  const stop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  function start(folder: string): void {
    try {
      // Not persistent: a watch keeps no process alive.
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', (cause) => {
        log.info('no longer watching a folder', { folder, cause });
        stop(folder);
      });
      watchers.set(folder, watcher);
    } catch (cause) {
      // Too many watches on this machine, or the folder is gone: the list is read anew when it is opened.
      log.info('cannot watch a folder', { folder, cause });
    }
  }

  return {
    follow: (files) => {
      const wanted = new Set([...files].map((file) => dirname(file)));
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) stop(folder);
      for (const folder of wanted) if (!watchers.has(folder)) start(folder);
    },
    close: () => {
      clearTimeout(timer);
      for (const folder of [...watchers.keys()]) stop(folder);
    },
  };
}
