import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../lib/processes.mjs';
import { Refusal, Unavailable } from '../lib/refusal.mjs';
import { installPackages } from './debian-packages.mjs';

/**
 * The Debian package of each library that Electron is linked to, as `objdump -p` and `dpkg -S` tell on Debian 12
 * (Electron 25; libraries.test.ts asks dpkg again where there is one). What those need in turn, apt brings along. Newer
 * releases call some of them …t64.
 * @type {Record<string, readonly string[]>}
 */
export const LIBRARY_PACKAGES = {
  'libX11.so.6': ['libx11-6'],
  'libXcomposite.so.1': ['libxcomposite1'],
  'libXdamage.so.1': ['libxdamage1'],
  'libXext.so.6': ['libxext6'],
  'libXfixes.so.3': ['libxfixes3'],
  'libXrandr.so.2': ['libxrandr2'],
  'libasound.so.2': ['libasound2', 'libasound2t64'],
  'libatk-1.0.so.0': ['libatk1.0-0', 'libatk1.0-0t64'],
  'libatk-bridge-2.0.so.0': ['libatk-bridge2.0-0', 'libatk-bridge2.0-0t64'],
  'libatspi.so.0': ['libatspi2.0-0', 'libatspi2.0-0t64'],
  'libcairo.so.2': ['libcairo2'],
  'libcups.so.2': ['libcups2', 'libcups2t64'],
  'libdbus-1.so.3': ['libdbus-1-3'],
  'libdrm.so.2': ['libdrm2'],
  'libexpat.so.1': ['libexpat1'],
  'libgbm.so.1': ['libgbm1'],
  'libgio-2.0.so.0': ['libglib2.0-0', 'libglib2.0-0t64'],
  'libglib-2.0.so.0': ['libglib2.0-0', 'libglib2.0-0t64'],
  'libgobject-2.0.so.0': ['libglib2.0-0', 'libglib2.0-0t64'],
  'libgtk-3.so.0': ['libgtk-3-0', 'libgtk-3-0t64'],
  'libnspr4.so': ['libnspr4'],
  'libnss3.so': ['libnss3'],
  'libnssutil3.so': ['libnss3'],
  'libpango-1.0.so.0': ['libpango-1.0-0'],
  'libsmime3.so': ['libnss3'],
  'libudev.so.1': ['libudev1'],
  'libxcb.so.1': ['libxcb1'],
  'libxkbcommon.so.0': ['libxkbcommon0'],
};

/**
 * What Electron opens by name if it is there. Seen with strace on Electron 25: without libnotify it says that
 * notifications are not supported. It goes along with an installation, but is never a reason for one.
 */
const GOES_ALONG = [['libnotify4']];

/** Sees to it that every library is there that Electron is linked to. Other systems bring theirs along. */
export async function ensureLibraries(
  /** @type {import('./electron-runtime.mjs').Runtime} */ runtime,
) {
  if (process.platform !== 'linux') return;
  const missing = await findMissingLibraries(runtime);
  if (missing.length === 0) return;
  const { packages, unknown } = packagesFor(missing);
  if (unknown.length > 0) throw new Refusal(describeUnknown(unknown));
  const toDo = await installPackages([...packages, ...GOES_ALONG]);
  if (toDo !== null) {
    throw new Unavailable(
      `Electron needs libraries that are not installed (${missing.join(', ')}): ${toDo}`,
    );
  }
  const stillMissing = await findMissingLibraries(runtime);
  if (stillMissing.length > 0) {
    throw new Refusal(
      `After installing them, Electron still does not find ${stillMissing.join(', ')}.`,
    );
  }
}

/**
 * The packages that bring the missing libraries, each once, and the libraries that we know no package of.
 * @param {readonly string[]} missing
 */
export function packagesFor(missing) {
  /** @type {Map<string, readonly string[]>} */
  const packages = new Map();
  const unknown = [];
  for (const library of missing) {
    const names = LIBRARY_PACKAGES[library];
    if (names === undefined) unknown.push(library);
    else packages.set(names.join(), names);
  }
  return { packages: [...packages.values()], unknown };
}

export const describeUnknown = (/** @type {readonly string[]} */ unknown) =>
  `Electron needs libraries that are not installed and whose package Leasehold does not know (${unknown.join(', ')}): ` +
  'install them with your package manager, and tell us their package so that the next person need not.';

/** What the dynamic linker does not find for the executable and the libraries beside it. */
async function findMissingLibraries(
  /** @type {import('./electron-runtime.mjs').Runtime} */ runtime,
) {
  const own = (await readdir(runtime.folder)).filter((name) => /\.so(?:\.\d+)*$/.test(name));
  const files = [runtime.executable, ...own.map((name) => join(runtime.folder, name))];
  const { code, text } = await run('ldd', files, { env: { ...process.env, LC_ALL: 'C' } });
  if (code !== 0)
    throw new Refusal(`ldd could not look at ${runtime.executable}:\n${text.trimEnd()}`);
  return parseMissing(text).filter((name) => !own.includes(name));
}

/** The libraries that ldd reports as not found, each once. */
export function parseMissing(/** @type {string} */ ldd) {
  const found = [...ldd.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name ?? '');
  return [...new Set(found)].sort();
}
