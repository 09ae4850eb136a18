import { chmod, copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { onCleanup } from '../lib/cleanups.mjs';
import { run } from '../lib/processes.mjs';
import { ROOT } from '../lib/paths.mjs';
import { Refusal } from '../lib/refusal.mjs';

// What the tests do not read, or what they would write into.
const NOT_STAGED = new Set(['.git', 'coverage', 'dist', 'test-results']);
const PACKAGES = 'node_modules';
// What runs beside the windows builds there, and takes away again while it is being copied.
const NOT_PACKAGES = new Set(['.cache', '.vite', '.vite-temp']);

/**
 * A copy of the repository that an ordinary user can read, wherever the clone lies (root's home, say). Hard links make
 * it cost a second and no disk; root owns them, so the user cannot change the originals through them.
 * @param {import('../setup/electron-runtime.mjs').Runtime} runtime
 * @param {import('./ordinary-user.mjs').User} user
 */
export async function stageFor(runtime, user) {
  // Not TMPDIR: it may be root's own. Short, because sockets below it have at most 107 bytes for their path.
  const folder = await mkdtemp('/tmp/leasehold-stage-');
  const drop = onCleanup(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const root = join(folder, 'app');
  await mkdir(root);
  await chmod(root, 0o755);
  await copyReadable(await pathsIn(ROOT, new Set([...NOT_STAGED, PACKAGES])), root);
  const packages = join(root, PACKAGES);
  await mkdir(packages);
  await chmod(packages, 0o755);
  await copyReadable(await pathsIn(join(ROOT, PACKAGES), NOT_PACKAGES), packages);
  const node = join(folder, 'node');
  const usesOwnNode = await canRun(process.execPath, user);
  if (!usesOwnNode) await copyFile(process.execPath, node); // it lies in root's home, as version managers have it
  return {
    drop,
    root,
    node: usesOwnNode ? process.execPath : node,
    runtime: { ...runtime, folder: await stageRuntime(runtime, user, folder, root) },
  };
}

async function pathsIn(/** @type {string} */ folder, /** @type {ReadonlySet<string>} */ without) {
  const names = await readdir(folder);
  return names.filter((name) => !without.has(name)).map((name) => join(folder, name));
}

/**
 * Answers the folder of the runtime to use: inside the staged app, as it is, or staged beside the app.
 * @param {import('../setup/electron-runtime.mjs').Runtime} runtime
 * @param {import('./ordinary-user.mjs').User} user
 * @param {string} folder
 * @param {string} root
 */
async function stageRuntime(runtime, user, folder, root) {
  const inside = relative(ROOT, runtime.folder);
  if (!inside.startsWith('..') && !isAbsolute(inside)) return join(root, inside);
  if (await canRun(runtime.executable, user)) return runtime.folder;
  await copyReadable([runtime.folder], folder);
  return join(folder, basename(runtime.folder));
}

/**
 * @param {string} executable
 * @param {import('./ordinary-user.mjs').User} user
 */
async function canRun(executable, { uid, gid }) {
  const { code } = await run('test', ['-x', executable], { uid, gid });
  return code === 0;
}

/**
 * Copies as hard links where the file system allows it, and as real files where it does not or where others may not
 * read the originals.
 */
async function copyReadable(/** @type {readonly string[]} */ paths, /** @type {string} */ into) {
  const linked = await run('cp', ['-al', '--', ...paths, into]);
  if (linked.code === 0 && (await isReadableForAll(into))) return;
  for (const path of paths) await rm(join(into, basename(path)), { recursive: true, force: true });
  const copied = await run('cp', ['-a', '--', ...paths, into]);
  if (copied.code !== 0)
    throw new Refusal(`Could not copy the app for the tests:\n${copied.text.trimEnd()}`);
  await run('chmod', ['-R', 'a+rX', into]);
}

async function isReadableForAll(/** @type {string} */ folder) {
  const readable = [
    '(',
    '-type',
    'd',
    '-perm',
    '-005',
    '-o',
    '-type',
    'f',
    '-perm',
    '-004',
    '-o',
    '-type',
    'l',
    ')',
  ];
  const { stdout } = await run('find', [folder, '!', ...readable, '-print', '-quit']);
  return stdout === '';
}
