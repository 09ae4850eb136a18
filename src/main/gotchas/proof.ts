import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Deed } from '../../shared/gotchas/gotcha.ts';
import { errnoOf } from '../storage/file-problem.ts';

const IMPORT = /\b(?:from|import)(?:\s*\()?\s*'(\.{1,2}\/[^']+)'/g;
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The sources as they lie in a clone, each file read once. */
export class Sources {
  readonly #root: string;
  readonly #texts = new Map<string, Promise<string | null>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Null: there is no such file. */
  text(path: string): Promise<string | null> {
    let text = this.#texts.get(path);
    if (text === undefined) {
      text = readOrNull(join(this.#root, path));
      this.#texts.set(path, text);
    }
    return text;
  }

  async namesBeside(path: string): Promise<readonly string[]> {
    try {
      return await readdir(join(this.#root, dirname(path), 'samples'));
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return [];
      throw cause;
    }
  }
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === 'ENOENT' || errno === 'EISDIR') return null;
    throw cause;
  }
}

/** Why a deed is not proven; null: its module is there, and a test that names the gotcha runs that module. */
export async function doubtOf(
  id: string,
  { module, test }: Pick<Deed, 'module' | 'test'>,
  sources: Sources,
): Promise<string | null> {
  if ((await sources.text(module)) === null) return `there is no ${module}`;
  const text = await sources.text(test);
  if (text === null) return `there is no ${test}`;
  if (!/\.(?:test|spec)\.tsx?$/.test(test)) return `${test} is no test`;
  if (!(await reaches(test, module, sources))) return `${test} does not use ${module}`;
  if (namesInString(text, id)) return null;
  // Recorded cases say by their names what they are cases of; a test beside them runs each.
  const cases = await sources.namesBeside(test);
  if (cases.some((name) => name.toUpperCase().startsWith(`${id}--FOUND`))) return null;
  return `${test} does not name ${id} in a title or a case`;
}

/** In a string, not in a remark about it. */
function namesInString(text: string, id: string): boolean {
  const name = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  return [...text.matchAll(STRING)].some(([string]) => name.test(string));
}

async function reaches(from: string, wanted: string, sources: Sources): Promise<boolean> {
  const seen = new Set([from]);
  // A set goes on to what is added while it is walked.
  for (const path of seen) {
    if (path === wanted) return true;
    for (const [, name = ''] of ((await sources.text(path)) ?? '').matchAll(IMPORT)) {
      seen.add(posix.join(posix.dirname(path), name));
    }
  }
  return false;
}
