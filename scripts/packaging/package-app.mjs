import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { exists, listFiles } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { setFuses } from './fuses.mjs';

/** The packed executable. Another name than Electron's own, by which Electron knows that it is packed. */
export const EXECUTABLE = 'leasehold';

/** What stands outside the bundle because it has native parts; each brings what it depends on. */
const NATIVE_PACKAGES = ['ssh2', '@libsql/linux-x64-gnu', '@libsql/linux-arm64-gnu'];
/** Of a package, what is loaded; not what it is built and tested with. */
const IS_LOADED = /\.(?:c?js|json|node)$|LICEN[CS]E/;
const IS_NEVER_LOADED = /\/(?:test|examples|obj\.target|deps)\//;
/** The command line needs a plain Node, which a packed app never is; the others are for the build. */
const IS_FOR_THE_WINDOW = (/** @type {string} */ path) =>
  !/\/(?:(?:cli|write-code-cache)\.cjs|\.[^/]*)$/.test(path);

/**
 * Packs the built app for Linux into `folder`, which it makes anew: the runtime, the app in its archive, what lies beside that, and
 * the fuses set. Answers the executable.
 * @param {import('../setup/electron-runtime.mjs').Runtime} runtime
 * @param {string} folder
 */
export async function packageApp(runtime, folder) {
  const resources = join(folder, 'resources');
  const executable = join(folder, EXECUTABLE);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, '..'), { recursive: true });
  await cp(runtime.folder, folder, { recursive: true, preserveTimestamps: true });
  await rm(resources, { recursive: true }); // Electron's own app, or our loader in its place
  await rename(join(folder, relative(runtime.folder, runtime.executable)), executable);
  const manifest = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
  await packArchive(manifest, runtime.isFallback, resources);
  for (const { from, to } of manifest.build.extraResources) {
    await cp(inRoot(from), join(resources, to), { recursive: true });
  }
  // Last: nothing before this line may change the executable after it.
  await setFuses(executable);
  return executable;
}

/**
 * @param {{ name: string, productName: string, version: string, license: string, main: string }} manifest
 * @param {boolean} isFallback
 * @param {string} resources
 */
async function packArchive({ name, productName, version, license, main }, isFallback, resources) {
  const draft = join(resources, 'app-draft');
  const copy = async (
    /** @type {string} */ folder,
    /** @type {(path: string) => boolean} */ isWanted,
  ) => {
    for (const path of await listFiles([inRoot(folder)])) {
      if (isWanted(path)) await cp(path, join(draft, relative(ROOT, path)));
    }
  };
  await copy('out', IS_FOR_THE_WINDOW);
  for (const each of await listPackages()) {
    await copy(each, (path) => IS_LOADED.test(path) && !IS_NEVER_LOADED.test(path));
  }
  const own = { name, productName, version, license, main: isFallback ? 'start.cjs' : main };
  await writeFile(join(draft, 'package.json'), JSON.stringify(own));
  // So that it says on every screen what it runs on, as in a clone.
  const start = `process.env.LEASEHOLD_FALLBACK_RUNTIME = '1';\nrequire('./${main}');\n`;
  if (isFallback) await writeFile(join(draft, 'start.cjs'), start);
  // The system's loader reads no archive, so native parts lie beside it.
  await createPackageWithOptions(draft, join(resources, 'app.asar'), { unpack: '**/*.node' });
  await rm(draft, { recursive: true });
}

/** The folders of the packages that are not in the bundle, and of those that they need, as far as they are installed. */
async function listPackages() {
  const folders = new Set(NATIVE_PACKAGES.map((name) => `node_modules/${name}`));
  for (const folder of folders) {
    if (!(await exists(inRoot(folder)))) {
      folders.delete(folder);
      continue;
    }
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      await readFile(inRoot(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      folders.add(`node_modules/${name}`);
    }
  }
  return folders;
}
