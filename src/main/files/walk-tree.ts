import type { BoxFile } from '../../shared/files/box-file.ts';
import { joinPath } from '../../shared/files/box-path.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';

/** Whoever means more than this is better served by a terminal, and what is shown first must be something one can read. */
export const MAX_WALKED = 20_000;
const MAX_DEPTH = 100;

export interface Walked {
  /** Whole, with no link on the way. */
  readonly path: string;
  readonly file: BoxFile;
}

/** An entry and everything in it, a folder before what it holds. No link is followed, so nothing outside is ever reached. */
export async function walkTree(
  files: BoxFiles,
  path: string,
  signal?: AbortSignal,
): Promise<Result<readonly Walked[], Problem>> {
  const top = await files.stat(path);
  if (!top.ok) return top;
  const walked: Walked[] = [{ path, file: top.value }];
  const waiting = top.value.kind === 'folder' ? [{ path, depth: 1 }] : [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.depth > MAX_DEPTH) return err(tooMuch(path));
    for await (const page of files.list(next.path)) {
      if (signal?.aborted === true) return err(problem('aborted', 'Looking into it was stopped.'));
      if (!page.ok) return page;
      for (const file of page.value) {
        if (file.name === '.' || file.name === '..') continue;
        const inner = joinPath(next.path, file.name);
        walked.push({ path: inner, file });
        if (walked.length > MAX_WALKED) return err(tooMuch(path));
        if (file.kind === 'folder') waiting.push({ path: inner, depth: next.depth + 1 });
      }
    }
  }
  return ok(walked);
}

function tooMuch(path: string): Problem {
  return problem('files-too-many', `There is more in ${plainText(path, 200)} than 20 000 entries.`);
}
