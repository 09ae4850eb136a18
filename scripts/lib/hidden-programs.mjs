import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onCleanup } from './cleanups.mjs';

/**
 * Takes the programs that LEASEHOLD_HIDE names off the PATH of everything that is started from now on, with their versions: "python"
 * is also python3 and python3.11. So the tests can be run as on a machine that has none of them. A folder that holds one is replaced
 * by one with links to all the others.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<readonly string[]>} What was hidden.
 */
export async function hidePrograms(env = process.env) {
  const names = (env['LEASEHOLD_HIDE'] ?? '').split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) return [];
  const isHidden = (/** @type {string} */ program) =>
    names.some((name) => program.startsWith(name) && /^[\d.]*$/.test(program.slice(name.length)));
  const links = await mkdtemp(join(tmpdir(), 'leasehold-path-'));
  await chmod(links, 0o755); // the end-to-end tests run as another user
  onCleanup(() => rm(links, { recursive: true, force: true }));
  const folders = (env['PATH'] ?? '').split(delimiter);
  /** @type {string[]} */
  const hidden = [];
  const kept = folders.map(async (folder, at) => {
    const programs = await readdir(folder).catch(() => []);
    const own = programs.filter(isHidden);
    if (own.length === 0) return folder;
    hidden.push(...own.map((program) => join(folder, program)));
    const instead = join(links, String(at));
    await mkdir(instead);
    const others = programs.filter((program) => !isHidden(program));
    await Promise.all(others.map((name) => symlink(join(folder, name), join(instead, name))));
    return instead;
  });
  env['PATH'] = (await Promise.all(kept)).join(delimiter);
  return hidden;
}
