import { posix } from 'node:path';
import type { SetKind } from '../../../shared/verify/sets.ts';
import type { FileSet } from './file-set.ts';
import { onnxExternal } from './onnx-external.ts';
import { savedModel } from './saved-model.ts';
import { shardedCheckpoint } from './sharded-checkpoint.ts';
import { splitGguf } from './split-gguf.ts';
import { torchDistributed } from './torch-distributed.ts';
import { zarr } from './zarr.ts';
import { tensorflowCheckpoint } from './tensorflow-checkpoint.ts';

export const FILE_SETS: readonly FileSet[] = [
  shardedCheckpoint,
  splitGguf,
  onnxExternal,
  tensorflowCheckpoint,
  savedModel,
  torchDistributed,
  zarr,
];

/** A set that may be there, by the name of the file that would hold it together. */
export interface LikelySet {
  readonly kind: SetKind;
  readonly path: string;
  /** From the folder of that file on. */
  readonly members: readonly string[];
}

/**
 * One after the other, since each has the names of all files beside it.
 * @param paths Of the files that are there, from one folder on, with `/`.
 */
export function* setsAmong(paths: readonly string[]): Generator<LikelySet, void> {
  const outermost = outermostAmong(paths);
  for (const path of paths) {
    const name = posix.basename(path);
    for (const { kind, isOutermost } of FILE_SETS.filter(({ leads }) => leads.test(name))) {
      if (isOutermost === true && !outermost.has(path)) continue;
      const folder = path.slice(0, path.length - name.length);
      const members = paths.filter((each) => each.startsWith(folder));
      yield { kind, path, members: members.map((each) => each.slice(folder.length)) };
    }
  }
}

/** Of what holds such sets together, the one in each folder that has none above it. */
function outermostAmong(paths: readonly string[]): ReadonlySet<string> {
  const sets = FILE_SETS.filter(({ isOutermost }) => isOutermost);
  const first = new Map<string, string>();
  for (const path of paths) {
    const [name, folder] = [posix.basename(path), posix.dirname(path)];
    if (sets.some(({ leads }) => leads.test(name)) && !first.has(folder)) first.set(folder, path);
  }
  const isWithin = (folder: string): boolean =>
    folder !== '.' && (first.has(posix.dirname(folder)) || isWithin(posix.dirname(folder)));
  return new Set([...first].filter(([folder]) => !isWithin(folder)).map(([, path]) => path));
}
