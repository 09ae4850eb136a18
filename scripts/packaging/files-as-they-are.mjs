// Electron changes `fs` so that a packaged app can read its own archive with it, and so spoils every file called x.asar that a person
// has. Main's code gets the `fs` from before, but for the few modules that read the app's own files.
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('files-as-they-are/', import.meta.url));
const FS = /\b(from |require\()(['"])(?:node:)?fs(\/promises)?\2/g;

/** A module's code, with the other one in the place of `fs`. */
export function withFilesAsTheyAre(/** @type {string} */ code) {
  return code.replace(
    FS,
    (_all, /** @type {string} */ asks, _quote, /** @type {string | undefined} */ promises) =>
      asks + JSON.stringify(`${FOLDER}${promises === undefined ? 'fs' : 'promises'}.cjs`),
  );
}

/**
 * The plugin for vite.
 * @param {readonly string[]} readArchive The ends of the paths of the modules that read what lies in the app's own archive.
 * @returns {import('vite').Plugin}
 */
export function filesAsTheyAre(readArchive) {
  return {
    name: 'leasehold:files-as-they-are',
    enforce: 'pre',
    transform: (code, id) =>
      id.startsWith(FOLDER) || readArchive.some((end) => id.endsWith(end))
        ? null
        : { code: withFilesAsTheyAre(code), map: null },
  };
}
