import type { Problem, ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile, PullFile } from '../../shared/transfer/pull.ts';
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
  const found = begun(file, mark, 'listed');
  found.says = says;
  return found;
}

export function proven(file: About, { sha256, loaded, writtenNs }: Read): PulledFile {
  const found = begun(file, 'equal', loaded?.kind === 'loaded' ? 'loaded' : 'hashed');
  found.sha256 = sha256;
  found.copyWrittenNs = writtenNs;
  found.loaded = loaded;
  return found;
}

type Begun = { -readonly [K in keyof PulledFile]: PulledFile[K] };

/** Put together one by one: objects that are spread into others stood high in the profile of a pull of ten thousands of files. */
function begun(file: About, mark: PulledFile['mark'], level: PulledFile['level']): Begun {
  const { path, bytes, modifiedAtMs, stamp, keep, fate, left } = file;
  const found: Begun = {
    path,
    bytes,
    modifiedAtMs,
    keep,
    mark,
    level,
    sha256: null,
    loaded: null,
    says: null,
  };
  if (stamp !== undefined) found.stamp = stamp;
  if (fate !== undefined) found.fate = fate;
  if (left !== undefined) found.left = left;
  return found;
}
