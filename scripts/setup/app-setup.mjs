import { Unavailable } from '../lib/refusal.mjs';
import { ensureBuild } from './build.mjs';
import { ensureCodeCache } from './code-cache.mjs';
import { ensureRuntime } from './electron-runtime.mjs';
import { ensureLibraries } from './libraries.mjs';
import { findCommand } from './tools.mjs';

/**
 * Electron with everything it is linked to.
 */
export async function ensureElectron() {
  const runtime = await ensureRuntime();
  await ensureLibraries(runtime);
  return runtime;
}

/** The same for a run without a person: it needs a screen in memory, too. */
export async function ensureHeadlessElectron() {
  if (process.platform === 'linux' && (await findCommand('Xvfb')) === null) {
    throw new Unavailable('Xvfb, a screen in memory, is not installed');
  }
  return await ensureElectron();
}

/** The app, built and compiled ahead for the runtime that it is started with. */
export async function ensureApp(/** @type {import('./electron-runtime.mjs').Runtime} */ runtime) {
  await ensureBuild();
  await ensureCodeCache(runtime);
}
