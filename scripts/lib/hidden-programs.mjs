import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onCleanup } from './cleanups.mjs';

/** Where systems keep programs. The boxes of the tests look there, whatever PATH says. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * Takes the programs that LEASEHOLD_HIDE names off the PATH of everything that is started from now on, with their versions: "python"
 * is also python3 and python3.11. So the tests can be run as on a machine that has none of them. A folder that holds one is replaced
 * by one with links to all the others; which by which, LEASEHOLD_HIDDEN says to those who make up a PATH of their own
 * (`src/main/ssh/shown-programs.fixture.ts`).
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
  /** @type {Record<string, string>} */
  const instead = {};
  const replaced = [...new Set([...folders, ...SYSTEM_FOLDERS])].map(async (folder, at) => {
    const programs = await readdir(folder).catch(() => []);
    const own = programs.filter(isHidden);
    if (own.length === 0) return;
    hidden.push(...own.map((program) => join(folder, program)));
    const others = programs.filter((program) => !isHidden(program));
    instead[folder] = join(links, String(at));
    await mkdir(instead[folder]);
    await Promise.all(
      others.map((name) => symlink(join(folder, name), join(links, String(at), name))),
    );
  });
  await Promise.all(replaced);
  env['PATH'] = folders.map((folder) => instead[folder] ?? folder).join(delimiter);
  env['LEASEHOLD_HIDDEN'] = JSON.stringify(instead);
  return hidden;
}
