import { MAX_LISTED, type FolderNames } from '../../shared/files/box-file.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';

/** More are no tree that anybody walks; the list shows them all. */
const MAX_FOLDERS = 1000;

/** The folders in a folder, which SFTP only tells among all else that is in it. */
export async function foldersIn(
  files: BoxFiles,
  folder: string,
): Promise<Result<FolderNames, Problem>> {
  const names: string[] = [];
  let looked = 0;
  for await (const page of files.list(folder)) {
    if (!page.ok) return page;
    for (const { kind, name, hasUsableName } of page.value) {
      if (kind === 'folder' && hasUsableName && name !== '.' && name !== '..') names.push(name);
    }
    looked += page.value.length;
    if (names.length > MAX_FOLDERS || looked >= MAX_LISTED) {
      return ok({ names: names.slice(0, MAX_FOLDERS), isCut: true });
    }
  }
  return ok({ names, isCut: false });
}
