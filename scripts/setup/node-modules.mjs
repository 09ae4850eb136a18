import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonOrNull } from '../lib/files.mjs';
import { withLock } from '../lib/lock.mjs';
import { ROOT } from '../lib/paths.mjs';
import { npm, run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';
import { say } from '../lib/say.mjs';

/**
 * @typedef {{ version?: string, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile
 */

const stampPath = (/** @type {string} */ root) =>
  join(root, 'node_modules', '.leasehold-install.json');

/** Installs the packages of package-lock.json unless they are there already. */
export async function ensureNodeModules(root = ROOT) {
  if (await isInstalled(root)) return;
  await withLock(join(root, 'out', '.setup-lock'), async () => {
    if (await isInstalled(root)) return; // by the one we waited for
    if (await isInstalledByHand(root)) return writeStamp(root);
    say('Installing node packages (npm ci) …');
    // Without its stamp a folder counts as half-installed, whatever interrupts us from here on.
    await rm(stampPath(root), { force: true });
    const { command, args } = npm();
    const { code } = await run(
      command,
      [
        ...args,
        'ci',
        '--include=dev',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      { cwd: root, output: 'stderr' },
    );
    if (code !== 0)
      throw new Refusal(`npm ci failed with exit code ${String(code)}; its message is above.`);
    await writeStamp(root);
  });
}

export async function isInstalled(/** @type {string} */ root) {
  const stamp = await readJsonOrNull(stampPath(root));
  return JSON.stringify(stamp) === JSON.stringify(await wantedStamp(root));
}

export async function writeStamp(/** @type {string} */ root) {
  await writeFile(stampPath(root), JSON.stringify(await wantedStamp(root)));
}

/** What must be unchanged for an installation to stay good: the lock file, and what native parts were built for. */
async function wantedStamp(/** @type {string} */ root) {
  const lock = await readFile(join(root, 'package-lock.json'));
  return {
    lock: createHash('sha256').update(lock).digest('hex'),
    platform: `${process.platform}-${process.arch}`,
    nodeAbi: process.versions.modules,
  };
}

/** Somebody ran npm install: npm's own record equals the lock, and every package on disk is of the recorded version. */
export async function isInstalledByHand(/** @type {string} */ root) {
  const recorded = await readJsonOrNull(join(root, 'node_modules', '.package-lock.json'));
  const locked = await readJsonOrNull(join(root, 'package-lock.json'));
  const wanted = packagesOf(locked);
  const present = packagesOf(recorded);
  if (wanted.size === 0 || present.size === 0) return false;
  for (const [path, { version, optional }] of wanted) {
    if (optional === true && !present.has(path)) continue; // made for another platform
    if (present.get(path)?.version !== version) return false;
    const manifest = /** @type {LockedPackage | null} */ (
      await readJsonOrNull(join(root, path, 'package.json'))
    );
    if (manifest?.version !== version) return false;
  }
  return true;
}

function packagesOf(/** @type {unknown} */ lockfile) {
  const packages = Object.entries(/** @type {Lockfile | null} */ (lockfile)?.packages ?? {});
  return new Map(packages.filter(([path]) => path !== ''));
}
