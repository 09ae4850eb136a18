import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Unix systems keep programs, in the order of a login shell; the last two are Homebrew's and NixOS'. */
export const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
  '/run/current-system/sw/bin',
];

/** The first of these paths that is a program; names without a slash are looked up in the system's folders. */
export async function findProgram(...candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) {
    const paths = candidate.includes('/')
      ? [candidate]
      : SYSTEM_FOLDERS.map((folder) => join(folder, candidate));
    for (const path of paths) {
      if (await isExecutable(path)) return path;
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
