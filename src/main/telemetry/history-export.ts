import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { fileProblem } from '../storage/file-problem.ts';

/** Written together, and between two of these everything else gets its turn. */
const CHUNK_CHARS = 256 * 1024;

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
}

let exportsSoFar = 0;

/** Writes the lines to a new file beside `file` and puts it there when it is whole. A failure leaves what was there. */
export function writeLines(
  file: string,
  header: string,
  lines: Iterable<string>,
): Promise<Result<WrittenFile, Problem>> {
  return placeWhole(file, (handle) => writeAll(handle, header, lines));
}

/** What is there at once: the picture that the window has painted, a page. */
export function writeWhole(
  file: string,
  bytes: Uint8Array,
): Promise<Result<{ readonly bytes: number }, Problem>> {
  return placeWhole(file, async (handle) => {
    await handle.writeFile(bytes);
    await handle.sync();
    return { bytes: bytes.byteLength };
  });
}

async function placeWhole<Written extends { readonly bytes: number }>(
  file: string,
  write: (handle: FileHandle) => Promise<Written>,
): Promise<Result<Written, Problem>> {
  exportsSoFar += 1;
  const temporary = `${file}.part-${String(process.pid)}-${String(exportsSoFar)}`;
  let isMade = false;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    isMade = true;
    let written: Written;
    try {
      written = await write(handle);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    const { size } = await stat(file);
    if (size === written.bytes) return ok(written);
    return err(problem('export-failed', `The export is not whole: ${file}.`));
  } catch (cause) {
    // Where it could not be made, as in what is no folder, removing it would fail for the same reason.
    if (isMade) await rm(temporary, { force: true });
    return err(
      fileProblem(cause, {
        failed: 'The export was not written',
        file,
        otherwise: 'export-failed',
      }),
    );
  }
}

async function writeAll(
  handle: FileHandle,
  header: string,
  lines: Iterable<string>,
): Promise<WrittenFile> {
  let text = header;
  let rows = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.from(text, 'utf8');
    text = '';
    await handle.writeFile(chunk);
    bytes += chunk.length;
  };
  for (const line of lines) {
    text += line;
    rows += 1;
    if (text.length >= CHUNK_CHARS) await flush();
  }
  await flush();
  await handle.sync();
  return { rows, bytes };
}
