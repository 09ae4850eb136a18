import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from './command.ts';
import { isExecutable } from './find-program.ts';

export interface ElectronFound {
  readonly path: string;
  readonly version: string | null;
}

type Where = Pick<CommandContext, 'env' | 'platform' | 'root'>;

/** The folders in which `npm start` looks for an Electron, in its order (scripts/setup/electron-runtime.mjs). */
export async function findElectron(where: Where): Promise<ElectronFound | null> {
  const named = where.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folders =
    named === undefined || named === ''
      ? [join(where.root, 'node_modules', 'electron', 'dist'), ...(await cachedRuntimes(where))]
      : [named];
  for (const folder of folders) {
    const path = join(folder, executableName(where.platform));
    if (await isExecutable(path)) return { path, version: await versionIn(folder) };
  }
  return null;
}

function executableName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** The old stand-in for development and tests (scripts/setup/cache-folder.mjs). */
async function cachedRuntimes({ env, platform }: Where): Promise<readonly string[]> {
  if (platform !== 'linux') return [];
  const cache = cacheFolder(env);
  try {
    const names = await readdir(cache);
    return names
      .filter((name) => /^electron-[\d.]+-linux-x64$/.test(name))
      .map((name) => join(cache, name));
  } catch {
    return []; // no cache yet: nothing was fetched
  }
}

function cacheFolder(env: Where['env']): string {
  if (env['LEASEHOLD_CACHE']) return env['LEASEHOLD_CACHE'];
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'leasehold');
  return process.getuid?.() === 0
    ? '/var/cache/leasehold'
    : join(env['HOME'] ?? homedir(), '.cache', 'leasehold');
}

async function versionIn(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, 'version'), 'utf8')).trim().replace(/^v/, '') || null;
  } catch {
    return null; // not every package of Electron carries that file
  }
}
