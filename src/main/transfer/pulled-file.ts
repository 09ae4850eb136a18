import type { Problem, ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile, PullFile } from '../../shared/transfer/pull.ts';
import { versionOf } from '../../shared/transfer/file-version.ts';
import type { Read } from './part-reader.ts';

/** These are said of the file that was asked for; the rest is about the link, the box or this disk. */
const OF_ONE_FILE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'no-such-file',
  'file-denied',
  'file-failed',
  'file-name-unusable',
  'results-not-pulled',
  'job-failed',
]);

/** A fault of one file is told of it; others end the pull. */
export function ofFile(file: PullFile, because: Problem): Result<PulledFile, Problem> {
  return OF_ONE_FILE.has(because.code)
    ? ok(listed(file, 'could-not-read', because.message))
    : err(because);
}

export const NOT_HASHED = 'The box could not read it.';
export const OTHER_BYTES =
  'What arrived is not what the box had hashed: it was written to meanwhile, or the bytes were changed on the way.';
export const IN_THE_WAY = 'Another file stands here under its name. It was left as it is.';

type About = Pick<
  PulledFile,
  'path' | 'bytes' | 'modifiedAtMs' | 'stamp' | 'keep' | 'fate' | 'left'
>;

export function listed(file: About, mark: PulledFile['mark'], says: string): PulledFile {
  return {
    ...about(file),
    mark,
    level: 'listed',
    sha256: null,
    loaded: null,
    says,
  };
}

export function proven(
  file: PullFile,
  { sha256, loaded, writtenNs: copyWrittenNs }: Read,
): PulledFile {
  const level = loaded?.kind === 'loaded' ? 'loaded' : 'hashed';
  return { ...about(file), mark: 'equal', level, sha256, copyWrittenNs, loaded, says: null };
}

/** Without a rest of properties, which of ten thousands of files costs main more than all else that it does with them. */
const about = (file: About): About => ({
  ...{ path: file.path, ...versionOf(file), keep: file.keep },
  ...(file.fate !== undefined && { fate: file.fate }),
  ...(file.left !== undefined && { left: file.left }),
});
