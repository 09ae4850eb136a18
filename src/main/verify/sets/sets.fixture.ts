import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SetFound } from '../../../shared/verify/sets.ts';
import { proveSet } from '../../workers/prove-set.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { sourceOf } from '../load.fixture.ts';
import type { FileSet, SetFolder } from './file-set.ts';
import { setsAmong } from './sets.ts';

/** The folder of what a library wrote. */
export const setSpecimen = (name: string): string =>
  fileURLToPath(new URL(`./specimens/${name}/`, import.meta.url));

/** What is said of files that lie in memory. */
export async function readSet(
  set: FileSet,
  leader: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<string> {
  const folder: SetFolder = {
    members: new Set(files.keys()),
    open: async (member, use) => use(sourceOf(files.get(member) ?? new Uint8Array(0))),
  };
  try {
    const says = await set.read(leader, folder, () => undefined);
    return says === null ? 'no set' : `whole: ${says}`;
  } catch (cause) {
    if (cause instanceof Damaged) return `damaged: ${cause.message}`;
    if (cause instanceof NotLoadable) return `not loadable: ${cause.message}`;
    throw cause;
  }
}

/** All sets of a folder, as a worker reads them. */
export async function proveFolder(root: string): Promise<readonly SetFound[]> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
  const found: SetFound[] = [];
  for (const set of setsAmong(paths.sort())) {
    const proven = await proveSet({ root, set }, () => undefined);
    if (proven !== null) found.push(proven);
  }
  return found;
}
