import { open, rename, rm, stat } from 'node:fs/promises';
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
export async function writeLines(
  file: string,
  header: string,
  lines: Iterable<string>,
): Promise<Result<WrittenFile, Problem>> {
  exportsSoFar += 1;
  const temporary = `${file}.part-${String(process.pid)}-${String(exportsSoFar)}`;
  try {
    const written = await writeAll(temporary, header, lines);
    await rename(temporary, file);
    const { size } = await stat(file);
    if (size === written.bytes) return ok(written);
    return err(problem('export-failed', `The export is not whole: ${file}.`));
  } catch (cause) {
    await rm(temporary, { force: true });
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
  file: string,
  header: string,
  lines: Iterable<string>,
): Promise<WrittenFile> {
  const handle = await open(file, 'wx', 0o600);
  try {
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
  } finally {
    await handle.close();
  }
}
