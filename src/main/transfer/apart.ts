import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import { PART_ENDING } from '../../shared/transfer/local-name.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { isFolder } from './look-here.ts';

/**
 * While a file that nobody can guess lies in each of these folders here, so that whoever sees it on a box looks at the same folder: over a mount of
 * the box, a disk that both have, or because the box is this computer.
 */
export async function whileMarked<T>(
  folders: Iterable<string>,
  act: (name: string) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const name = `.leasehold-${randomBytes(16).toString('hex')}${PART_ENDING}`;
  const marked: string[] = [];
  try {
    for (const folder of folders) {
      const place = join(folder, name);
      const fault = await mark(place);
      if (fault !== null) return err(fault);
      marked.push(place);
    }
    return await act(name);
  } finally {
    for (const place of marked) await unmark(place);
  }
}

/**
 * Lists results that are to come into a folder here. SECURITY: refused where the box lists that folder among them, since then each file would be
 * proven against itself, and be lost with the box.
 */
export async function listApart(
  to: string,
  list: () => Promise<Result<ResultList, Problem>>,
): Promise<Result<ResultList, Problem>> {
  return whileMarked([await nearestFolder(to)], async (name) => {
    const listed = await list();
    if (!listed.ok) return listed;
    const { files } = listed.value;
    const isOwn = files.some(({ path }) => path === name || path.endsWith(`/${name}`));
    return isOwn ? err(notApart(to)) : listed;
  });
}

async function mark(place: string): Promise<Problem | null> {
  try {
    await (await open(place, 'wx')).close();
    return null;
  } catch (cause) {
    const failed = 'Whether the box has this folder too is not known';
    return fileProblem(cause, { failed, file: dirname(place), otherwise: 'results-not-pulled' });
  }
}

async function unmark(place: string): Promise<void> {
  try {
    await rm(place, { force: true });
  } catch (cause) {
    // A disk that went away keeps an empty file.
    if (errnoOf(cause) === null) throw cause;
  }
}

/** A folder that a pull is still to make lies in one that is there. */
export async function nearestFolder(to: string): Promise<string> {
  for (let folder = to; ; folder = dirname(folder)) {
    if (dirname(folder) === folder || (await isFolder(folder))) return folder;
  }
}

function notApart(to: string): Problem {
  return problem(
    'results-not-pulled',
    `${to} is the box’s own results folder, or lies in it: a file there is no copy.`,
    { nextStep: 'Choose a folder on a disk of this computer.' },
  );
}
