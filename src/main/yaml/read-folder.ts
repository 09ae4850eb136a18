import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { errnoOf } from '../storage/file-problem.ts';

/** Many times the longest shipped file. */
export const MAX_YAML_BYTES = 256 * 1024;
/** Far above any real folder; what is beyond is named and not read. */
const MAX_FILES = 200;

export interface FileText {
  readonly file: string;
  readonly text: string;
}

export interface ReadFolder {
  readonly texts: readonly FileText[];
  readonly faults: readonly FileFault[];
}

/** What helps a person whose files are too much. */
export interface FolderAdvice {
  readonly tooLong: string;
  readonly tooMany: string;
}

/** Every YAML file in this folder, in the order of their names; those that cannot be read are told. */
export async function readFolder(
  folder: string,
  need: 'must be there' | 'may be absent',
  advice: FolderAdvice,
): Promise<ReadFolder> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
  } catch (cause) {
    if (need === 'may be absent' && errnoOf(cause) === 'ENOENT') return { texts: [], faults: [] };
    return { texts: [], faults: [unreadable(folder, cause)] };
  }
  const texts: FileText[] = [];
  const faults: FileFault[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const file = join(folder, name);
    const text = await readDataFile(file, advice.tooLong);
    if (text.ok) texts.push({ file, text: text.value });
    else faults.push(text.error);
  }
  for (const name of names.slice(MAX_FILES)) {
    faults.push({
      file: join(folder, name),
      line: 1,
      message: `is one of more than ${MAX_FILES} files`,
      fix: advice.tooMany,
    });
  }
  return { texts, faults };
}

/** `tooLong`: what helps where it is longer than any such file. */
export async function readDataFile(
  file: string,
  tooLong: string,
): Promise<Result<string, FileFault>> {
  try {
    // Before it is opened: a pipe without a writer would never let go.
    if (!(await stat(file)).isFile()) return err(notAFile(file));
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(MAX_YAML_BYTES + 1);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      if (bytesRead > MAX_YAML_BYTES) {
        return err({
          file,
          line: 1,
          message: `is longer than ${MAX_YAML_BYTES / 1024} KiB`,
          fix: tooLong,
        });
      }
      return ok(new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)));
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return err(unreadable(file, cause));
  }
}

function notAFile(file: string): FileFault {
  return { file, line: 1, message: 'is not a plain file', fix: 'Put the file itself here.' };
}

function unreadable(file: string, cause: unknown): FileFault {
  if (cause instanceof TypeError) {
    return { file, line: 1, message: 'is not UTF-8 text', fix: 'Save it as UTF-8.' };
  }
  const errno = errnoOf(cause);
  if (errno === null) throw cause;
  return {
    file,
    line: 1,
    message: `cannot be read (${errno})`,
    fix: 'Check that it is there and that its permissions let you read it.',
  };
}
