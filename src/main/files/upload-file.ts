import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { fileProblem } from '../storage/file-problem.ts';

export interface Upload {
  readonly files: BoxFiles;
  /** On this computer, as the person chose it. */
  readonly from: string;
  /** On the box, as a whole path. */
  readonly place: string;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Sends one file, whole or not at all. Replaces nothing. */
export async function uploadFile(upload: Upload): Promise<Result<null, Problem>> {
  const { files, from, place, signal, onBytes } = upload;
  try {
    const before = await stat(from);
    const written = await files.write(place, counted(from, onBytes), { signal });
    if (!written.ok) return written;
    const after = await stat(from);
    const isSame = after.mtimeMs === before.mtimeMs && after.size === written.value.sizeBytes;
    return isSame
      ? ok(null)
      : err(problem('file-changed', 'It was changed while it was copied: send it again.'));
  } catch (cause) {
    const failed = 'It was not sent';
    return err(fileProblem(cause, { failed, file: from, otherwise: 'file-failed' }));
  }
}

async function* counted(from: string, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(from) as AsyncIterable<Buffer>) {
    onBytes(piece.length);
    yield piece;
  }
}
