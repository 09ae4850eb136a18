import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exists, readJsonOrNull, readTextOrNull } from '../lib/files.mjs';
import { run } from '../lib/processes.mjs';
import { describeError } from '../lib/refusal.mjs';
import { say } from '../lib/say.mjs';
import { openCacheFolder } from './cache-folder.mjs';

// The electron package carries no executable: its install.js downloads one. We download first, into the same cache, with
// the package's own downloader, because install.js waits for minutes where a firewall swallows packets and shows nothing
// while it works.

/** No answer, or no further byte, for this long: the host counts as unreachable. */
const STALLED_AFTER_MS = 15_000;

/** How long a failed download is remembered, so that it does not slow down each start. */
const RETRY_AFTER_MS = 4 * 60 * 60 * 1000;
const RETRY_NOW = 'LEASEHOLD_RETRY_ELECTRON';

/**
 * @typedef {{ ok: true, runtime: { folder: string, executable: string } } | { ok: false, because: string }} Answer
 * @typedef {{ version: string, atMs: number, because: string }} FailedDownload
 */

/** The path of the executable inside an unpacked Electron, as electron's install.js has it. */
export function platformExecutable(/** @type {NodeJS.Platform} */ platform) {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * The official runtime of the pinned version, downloaded if need be. Where something else can stand in, a failure is
 * remembered for some hours; where nothing can, each start tries again.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {boolean} canFallBack
 * @returns {Promise<Answer>}
 */
export async function findOfficialRuntime(root, env, platform, canFallBack) {
  const packageFolder = join(root, 'node_modules', 'electron');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(packageFolder, 'dist');
  const runtime = { folder, executable: join(folder, platformExecutable(platform)) };
  if (await isUnpacked(packageFolder, version, platform)) return { ok: true, runtime };

  const memory = join(await openCacheFolder(env), 'official-electron-failed.json');
  if (canFallBack && !env[RETRY_NOW]) {
    const failed = /** @type {FailedDownload | null} */ (await readJsonOrNull(memory));
    if (failed !== null && isStillRemembered(failed, version, Date.now())) {
      const again = new Date(failed.atMs + RETRY_AFTER_MS).toTimeString().slice(0, 5);
      return {
        ok: false,
        because: `${failed.because}; next try after ${again}, or now with ${RETRY_NOW}=1`,
      };
    }
  }
  try {
    await download(packageFolder, version);
    await unpack(packageFolder);
    return { ok: true, runtime };
  } catch (error) {
    const because = `the official ${version} could not be downloaded: ${describeError(error)}`;
    /** @type {FailedDownload} */
    const failed = { version, atMs: Date.now(), because };
    if (canFallBack) await writeFile(memory, JSON.stringify(failed));
    return { ok: false, because };
  }
}

export function isStillRemembered(
  /** @type {FailedDownload} */ failed,
  /** @type {string} */ version,
  /** @type {number} */ nowMs,
) {
  const ageMs = nowMs - failed.atMs;
  // A clock that was set back must not make the memory last for ever.
  return failed.version === version && ageMs >= 0 && ageMs < RETRY_AFTER_MS;
}

/** The same question that electron's install.js asks. */
async function isUnpacked(
  /** @type {string} */ packageFolder,
  /** @type {string} */ version,
  /** @type {NodeJS.Platform} */ platform,
) {
  const unpacked = await readTextOrNull(join(packageFolder, 'dist', 'version'));
  const path = await readTextOrNull(join(packageFolder, 'path.txt'));
  return (
    unpacked?.replace(/^v/, '') === version &&
    path === platformExecutable(platform) &&
    (await exists(join(packageFolder, 'dist', path)))
  );
}

/** Fetches the archive into the downloader's own cache, checked against the checksums that the package carries. */
async function download(/** @type {string} */ packageFolder, /** @type {string} */ version) {
  const require = createRequire(join(packageFolder, 'package.json'));
  const { downloadArtifact } = await import(pathToFileURL(require.resolve('@electron/get')).href);
  const stalled = new AbortController();
  const stall = () =>
    stalled.abort(new Error(`no answer for ${String(STALLED_AFTER_MS / 1000)} seconds`));
  let timer = setTimeout(stall, STALLED_AFTER_MS);
  let shownPct = 0;
  const onProgress = (/** @type {{ percent: number }} */ { percent }) => {
    clearTimeout(timer);
    if (percent < 1) timer = setTimeout(stall, STALLED_AFTER_MS);
    const tenths = Math.floor(percent * 10) * 10;
    if (tenths > shownPct) say(`Downloading Electron ${version}: ${String(tenths)} %`);
    shownPct = Math.max(shownPct, tenths);
  };
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      cacheRoot: process.env['electron_config_cache'],
      checksums: require('./checksums.json'),
      downloadOptions: { signal: stalled.signal, quiet: true, getProgressCallback: onProgress },
    });
  } finally {
    clearTimeout(timer);
  }
}

async function unpack(/** @type {string} */ packageFolder) {
  const { code, text } = await run(process.execPath, [join(packageFolder, 'install.js')]);
  if (code !== 0) throw new Error(`unpacking it failed: ${text.trim().split('\n')[0] ?? ''}`);
}
