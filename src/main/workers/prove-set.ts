import { closeSync, fstatSync, openSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { SetFound } from '../../shared/verify/sets.ts';
import { Damaged, NotLoadable } from '../verify/damage.ts';
import type { SetFolder } from '../verify/sets/file-set.ts';
import { FILE_SETS } from '../verify/sets/sets.ts';
import type { Jobs } from './jobs.ts';
import { sourceOf } from './prove-file.ts';

/** Reads the files of one set together. */
export async function proveSet(
  { root, set: { kind, path, members } }: Jobs['prove-set']['input'],
  tell: (doneBytes: number) => void,
): Promise<SetFound | null> {
  const reader = FILE_SETS.find((each) => each.kind === kind);
  if (reader === undefined) throw new Error(`No reader for sets of kind ${kind}.`);
  try {
    const folder = folderOf(join(root, ...path.split('/').slice(0, -1)), new Set(members));
    const says = await reader.read(posix.basename(path), folder, tell);
    return says === null ? null : { kind, path, state: 'whole', says };
  } catch (cause) {
    if (cause instanceof Damaged) return { kind, path, state: 'damaged', says: cause.message };
    if (cause instanceof NotLoadable) {
      return { kind, path, state: 'not-loadable', says: cause.message };
    }
    throw cause;
  }
}

function folderOf(root: string, members: ReadonlySet<string>): SetFolder {
  return {
    members,
    open: async (member, use) => {
      if (!members.has(member)) throw new Error('A reader asked for what is no file of its set.');
      const file = openSync(join(root, ...member.split('/')), 'r');
      try {
        return await use(sourceOf(file, fstatSync(file).size));
      } finally {
        closeSync(file);
      }
    },
  };
}
