import { open } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { LocalUser } from '../../shared/boxes/ssh-config/config-boxes.ts';
import { readConfigFile, type ConfigNote } from '../../shared/boxes/ssh-config/config-file.ts';
import {
  includeKey,
  MAX_INCLUDE_DEPTH,
  type ConfigTree,
} from '../../shared/boxes/ssh-config/sections.ts';
import { expandGlob } from './glob.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 512;
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;

export interface ConfigPlaces {
  readonly home: string;
  /** The person's file, then the system's. */
  readonly roots: readonly string[];
}

export function usualPlaces(home: string, env: NodeJS.ProcessEnv): ConfigPlaces {
  const system =
    process.platform === 'win32'
      ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'ssh', 'ssh_config')
      : '/etc/ssh/ssh_config';
  return { home, roots: [join(home, '.ssh', 'config'), system] };
}

/** An account without an entry in the user database, as in some containers, has no name that the system knows. */
export function localUser(env: NodeJS.ProcessEnv): LocalUser {
  const home = homedir();
  try {
    return { name: userInfo().username, home };
  } catch {
    return { name: env['USER'] ?? env['LOGNAME'] ?? '', home };
  }
}

/** Reads the SSH config with everything that it includes, within bounds. What cannot be read becomes a note. */
export async function readConfigTree({ home, roots }: ConfigPlaces): Promise<ConfigTree> {
  const files = new Map<string, string>();
  const includes = new Map<string, readonly string[]>();
  const notes: ConfigNote[] = [];
  let totalBytes = 0;

  async function read(root: string, path: string, depth: number): Promise<void> {
    if (files.has(path) || depth > MAX_INCLUDE_DEPTH) return;
    const refuse = (because: string): void =>
      void notes.push({ place: { file: path, line: 1 }, text: path, because });
    if (files.size >= MAX_FILES || totalBytes >= MAX_TOTAL_BYTES) {
      refuse('not read: the config is too large');
      return;
    }
    const text = await readBounded(path);
    if (typeof text === 'object') {
      if (text.because !== null) refuse(text.because);
      return;
    }
    files.set(path, text);
    totalBytes += text.length;
    for (const { keyword, args } of readConfigFile(path, text).entries) {
      if (keyword !== 'include') continue;
      for (const pattern of args) await include(root, pattern, depth);
    }
  }

  async function include(root: string, pattern: string, depth: number): Promise<void> {
    const key = includeKey(root, pattern);
    if (includes.has(key)) return;
    const paths = await expandGlob(absolute(pattern, home, dirname(root)));
    includes.set(key, paths);
    for (const path of paths) await read(root, path, depth + 1);
  }

  for (const root of roots) await read(root, root, 0);
  return { roots: roots.filter((root) => files.has(root)), files, includes, notes };
}

/** A relative Include is looked for where the person's or the system's config lies, whichever file says it. */
function absolute(pattern: string, home: string, base: string): string {
  if (pattern === '~' || pattern.startsWith('~/')) return join(home, pattern.slice(1));
  return isAbsolute(pattern) ? pattern : join(base, pattern);
}

/** A missing file is nothing to tell: OpenSSH passes over it too. */
async function readBounded(path: string): Promise<string | { readonly because: string | null }> {
  try {
    const file = await open(path, 'r');
    try {
      const about = await file.stat();
      if (!about.isFile()) return { because: 'not read: this is no file' };
      if (about.size > MAX_FILE_BYTES) return { because: 'not read: the file is too large' };
      const buffer = Buffer.alloc(MAX_FILE_BYTES);
      // Not readFile: the file may have grown meanwhile.
      const { bytesRead } = await file.read(buffer, 0, MAX_FILE_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return { because: isMissing ? null : `not read: ${code ?? 'it cannot be opened'}` };
  }
}
