import { constants, copyFileSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `settings.unreadable-<time>.json` is stem `settings.unreadable`, ending `.json`. */
export interface KeptName {
  readonly stem: string;
  readonly ending: string;
  readonly atMs: number;
}

/**
 * Moves a file out of the way and answers where it is now. Siblings that exist (`leasehold.db-wal` …) move with it, so
 * that the set can still be opened as a whole. The file itself goes first: siblings that a crash leaves behind have
 * lost their file, which the next start notices; a file that lost its siblings would look healthy.
 */
export function moveAside(file: string, name: KeptName, siblings: readonly string[] = []): string {
  const parts = ['', ...siblings];
  const to = freeName(dirname(file), name, parts);
  for (const part of parts) {
    if (existsSync(file + part)) renameSync(file + part, to + part);
  }
  return to;
}

/** Like `moveAside`, for a file of which a part is still good and stays in use. */
export function copyAside(file: string, name: KeptName): string {
  const to = freeName(dirname(file), name, ['']);
  copyFileSync(file, to, constants.COPYFILE_EXCL);
  return to;
}

/** `2025-11-21T03-15-00Z`: sorts by time and holds no character that a file system refuses. */
export function timeInName(atMs: number): string {
  return new Date(atMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
}

/** The first name that no part of a set uses yet: what was kept once is never overwritten. */
function freeName(folder: string, name: KeptName, parts: readonly string[]): string {
  const base = join(folder, `${name.stem}-${timeInName(name.atMs)}`);
  for (let n = 1; ; n += 1) {
    const file = (n === 1 ? base : `${base}-${n}`) + name.ending;
    if (parts.every((part) => !existsSync(file + part))) return file;
  }
}
