import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where downloaded things outlive a clone. Root's goes where other users can read it: the end-to-end tests run the app
 * as an ordinary user, who cannot look into root's home.
 * @param {NodeJS.ProcessEnv} env
 * @param {number | undefined} uid
 * @param {string} home
 */
export function chooseCacheFolder(env, uid, home) {
  if (env['LEASEHOLD_CACHE']) return env['LEASEHOLD_CACHE'];
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'leasehold');
  return uid === 0 ? '/var/cache/leasehold' : join(home, '.cache', 'leasehold');
}

/** The cache folder, made if it was not there, readable for everyone whatever the umask says. */
export async function openCacheFolder(env = process.env) {
  const folder = chooseCacheFolder(env, process.getuid?.(), homedir());
  const created = await mkdir(folder, { recursive: true });
  if (created !== undefined) await chmod(folder, 0o755);
  return folder;
}
