import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's top folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the repository, given from its top folder. */
export const inRoot = (/** @type {string[]} */ ...parts) => join(ROOT, ...parts);
