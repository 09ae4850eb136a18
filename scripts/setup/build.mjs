import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, listFiles, readTextOrNull } from '../lib/files.mjs';
import { withLock } from '../lib/lock.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';
import { formatDuration, say } from '../lib/say.mjs';

/** What the build reads. */
export const SOURCE_FOLDERS = ['src', 'profiles', 'resources', 'scripts/packaging'];
const SOURCE_FILES = [
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'tsconfig.base.json',
];
const IS_NEVER_BUILT = /\.(?:test|fixture)\.tsx?$/;

/** What the build leaves; a missing one means that somebody tidied up. */
const RESULTS = ['main/index.cjs', 'main/cli.cjs', 'preload/index.cjs', 'renderer/index.html'];

/** The headless command line, built. */
export const CLI = join('out', 'main', 'cli.cjs');

/** Builds the app into out/ unless nothing changed since it was built last. */
export async function ensureBuild(root = ROOT) {
  if (await isBuilt(root)) return;
  await withLock(join(root, 'out', '.setup-lock'), async () => {
    if (await isBuilt(root)) return; // by the one we waited for
    say('Building …');
    const startedAtMs = Date.now();
    await build(root);
    say(`Built in ${formatDuration(Date.now() - startedAtMs)}.`);
  });
}

/** Builds in any case. Answers what the build said. */
export async function build(root = ROOT) {
  // Taken before: what changes while it builds is built again next time.
  const fingerprint = await fingerprintSources(root);
  await rm(stampPath(root), { force: true });
  const cli = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { code, text } = await run(process.execPath, [cli, 'build'], { cwd: root });
  if (code !== 0)
    throw new Refusal(`The build failed with exit code ${String(code)}:\n${text.trimEnd()}`);
  const missing = await listMissing(root);
  // Otherwise each start would build again, and nobody would know why.
  if (missing.length > 0) throw new Error(`the build left no out/${missing.join(', out/')}`);
  await writeFile(stampPath(root), fingerprint);
  return text;
}

const stampPath = (/** @type {string} */ root) => join(root, 'out', '.build-stamp');

export async function isBuilt(/** @type {string} */ root) {
  if ((await readTextOrNull(stampPath(root))) !== (await fingerprintSources(root))) return false;
  return (await listMissing(root)).length === 0;
}

async function listMissing(/** @type {string} */ root) {
  const missing = [];
  for (const path of RESULTS) if (!(await exists(join(root, 'out', path)))) missing.push(path);
  return missing;
}

/**
 * Names, sizes and times of everything the build reads. Times, not contents: it must cost milliseconds at each start,
 * and a checkout that only touched files costs one build too many, never one too few.
 */
export async function fingerprintSources(/** @type {string} */ root) {
  const hash = createHash('sha256');
  const files = await listFiles(SOURCE_FOLDERS.map((folder) => join(root, folder)));
  for (const path of [...SOURCE_FILES.map((file) => join(root, file)), ...files]) {
    if (IS_NEVER_BUILT.test(path)) continue;
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path}\0${String(size)}\0${String(mtimeMs)}\n`);
  }
  return hash.digest('hex');
}
