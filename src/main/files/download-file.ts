import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { flushFolder } from '../storage/atomic-file.ts';
import { fileProblem } from '../storage/file-problem.ts';
import { fetchFile, isThere, nameProven, partOf } from '../transfer/fetch-file.ts';
import type { Walked } from './walk-tree.ts';

export interface Download {
  readonly files: BoxFiles;
  readonly from: Walked;
  /** Where it is to lie on this computer. Its folder is there. */
  readonly place: string;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Brings one file here under a partial name, onto the disk, and names it where it did not change meanwhile. Replaces nothing. */
export async function downloadFile(download: Download): Promise<Result<null, Problem>> {
  const { files, from, place, signal, onBytes } = download;
  const { sizeBytes, modifiedAtMs } = from.file;
  if (sizeBytes === null)
    return err(problem('file-failed', 'The box does not say how long it is.'));
  if (await isThere(place)) return err(isInTheWay(place));
  const part = partOf(place);
  // What an earlier time left of it may be of another file: nothing here says what it was.
  await rm(part, { force: true });
  const came = await fetchFile({
    read: (start, most, take) =>
      files.read(from.path, {
        ...{ start, end: start + most, signal },
        read: async (pieces) => {
          for await (const piece of pieces) await take(piece);
          return ok(null);
        },
      }),
    ...{ part, bytes: sizeBytes, onBytes },
  });
  const checked = came.ok
    ? await isStillTheSame(files, from.path, { sizeBytes, modifiedAtMs })
    : came;
  if (!checked.ok) {
    await rm(part, { force: true });
    return err(inWords(checked.error, place));
  }
  const named = await nameProven(part, place);
  if (!named.ok) return named;
  if (named.value) return flushed(place);
  await rm(part, { force: true });
  return err(isInTheWay(place));
}

/** A name is on the disk when its folder is. */
async function flushed(place: string): Promise<Result<null, Problem>> {
  try {
    await flushFolder(dirname(place));
    return ok(null);
  } catch (cause) {
    const failed = 'Whether the file stays after a power cut is not known';
    return err(fileProblem(cause, { failed, file: place, otherwise: 'file-failed' }));
  }
}

async function isStillTheSame(
  files: BoxFiles,
  path: string,
  before: { readonly sizeBytes: number; readonly modifiedAtMs: number | null },
): Promise<Result<null, Problem>> {
  const now = await files.stat(path);
  if (!now.ok) return now;
  const isSame =
    now.value.sizeBytes === before.sizeBytes && now.value.modifiedAtMs === before.modifiedAtMs;
  return isSame ? ok(null) : err(problem('file-changed', 'It was changed while it was copied.'));
}

const isInTheWay = (place: string): Problem =>
  problem('file-exists', `${place} is there already, and is not replaced.`);

/** What brings results home says that of results. */
function inWords(found: Problem, place: string): Problem {
  if (found.code === 'disk-full') {
    return problem('disk-full', `The disk of this computer is full (${dirname(place)}).`);
  }
  return found.code === 'results-not-pulled'
    ? problem('file-changed', 'It became shorter while it was copied.')
    : found;
}
