import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { joinPath, parentOf } from '../../shared/files/box-path.ts';
import type { LeftFile } from '../../shared/files/delete-plan.ts';
import { newNameFault } from '../../shared/files/new-name.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { fileProblem } from '../storage/file-problem.ts';
import { MAX_WALKED } from './walk-tree.ts';

/** So many folders are made at a time: a round trip each would be felt on a long way. */
const AT_ONCE = 16;

/** One file of this computer, and its place on the box. */
export interface Outgoing {
  readonly from: string;
  readonly place: string;
  readonly bytes: number;
}

export interface UploadTree {
  /** On the box, an outer one before those in it. */
  readonly folders: readonly string[];
  readonly files: readonly Outgoing[];
  readonly left: readonly LeftFile[];
}

/** What of this computer goes to `place`: a file, or a folder and all that it holds. No link in it is followed. */
export async function readUploadTree(
  from: string,
  place: string,
): Promise<Result<UploadTree, Problem>> {
  const folders: string[] = [];
  const files: Outgoing[] = [];
  const left: LeftFile[] = [];
  const waiting: { readonly from: string; readonly place: string }[] = [];
  try {
    const top = await stat(from);
    if (top.isFile()) files.push({ from, place, bytes: top.size });
    else if (top.isDirectory()) waiting.push({ from, place });
    else return err(problem('file-failed', 'It is no plain file.'));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      folders.push(next.place);
      for (const entry of await readdir(next.from, { withFileTypes: true })) {
        const inner = {
          from: join(next.from, entry.name),
          place: joinPath(next.place, entry.name),
        };
        const because = whyNotSent(entry);
        if (because !== null) left.push({ path: inner.from, problem: because });
        else if (entry.isDirectory()) waiting.push(inner);
        else files.push({ ...inner, bytes: (await stat(inner.from)).size });
        if (folders.length + waiting.length + files.length > MAX_WALKED) {
          return err(problem('files-too-many', 'There is more in it than 20 000 entries.'));
        }
      }
    }
    return ok({ folders, files, left });
  } catch (cause) {
    return err(
      fileProblem(cause, { failed: 'It was not sent', file: from, otherwise: 'file-failed' }),
    );
  }
}

/** What of these could not be made on the box, by its place. One that is there already is as good. */
export async function makeUploadFolders(
  files: BoxFiles,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Problem>> {
  const failed = new Map<string, Problem>();
  const make = async (path: string): Promise<void> => {
    const above = failed.get(parentOf(path) ?? '/');
    const made = above === undefined ? await files.mkdir(path) : err(above);
    if (made.ok) return;
    const isThere =
      made.error.code === 'file-exists' && (await files.follow(path)).kind === 'folder';
    if (!isThere) failed.set(path, made.error);
  };
  for (let level = folders; level.length > 0;) {
    // A folder waits for the one that holds it; those of one depth do not wait for each other.
    const depth = depthOf(level[0] ?? '');
    const same = level.filter((path) => depthOf(path) === depth);
    for (let at = 0; at < same.length && !signal.aborted; at += AT_ONCE) {
      await Promise.all(same.slice(at, at + AT_ONCE).map(make));
    }
    level = level.filter((path) => depthOf(path) !== depth);
  }
  return failed;
}

const depthOf = (path: string): number => path.split('/').length;

function whyNotSent(entry: Dirent): Problem | null {
  const fault = newNameFault(entry.name);
  if (fault !== null) return problem('file-name-unusable', fault);
  if (entry.isFile() || entry.isDirectory()) return null;
  const words = entry.isSymbolicLink() ? 'It is a link.' : 'It is no plain file.';
  return problem('file-failed', words);
}
