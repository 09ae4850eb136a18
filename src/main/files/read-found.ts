import type { BoxFile } from '../../shared/files/box-file.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { hasUsableName } from '../ssh/file-problem.ts';

/** Longer than any path that a system call takes, and what stands before it. */
const MAX_RECORD_BYTES = 16 * 1024;

const KINDS: Readonly<Record<string, BoxFile['kind']>> = { f: 'file', d: 'folder', l: 'link' };

export interface FoundAll {
  /** False: something could not be looked into. */
  readonly isWhole: boolean;
}

/**
 * What files-find.sh prints; each entry is told as it comes, by its path from the folder on. `take` false: enough. Linear in what
 * comes, and keeps no more than one record.
 */
export async function readFound(
  stdout: AsyncIterable<Buffer>,
  mark: string,
  take: (file: BoxFile) => boolean,
): Promise<Result<FoundAll, Problem>> {
  const begin = Buffer.from(`${mark} folder\n`);
  let half: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  for await (const piece of stdout) {
    let bytes: Buffer = half.length === 0 ? piece : Buffer.concat([half, piece]);
    if (!hasBegun) {
      // Start-up files may print before it.
      const at = bytes.indexOf(begin);
      if (at === -1) {
        if (bytes.length > MAX_RECORD_BYTES) break;
        half = bytes;
        continue;
      }
      hasBegun = true;
      bytes = bytes.subarray(at + begin.length);
    }
    let from = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
      const file = fileOf(bytes.subarray(from, end));
      if (file === null) return err(unreadable());
      if (!take(file)) return ok({ isWhole: true });
      from = end + 1;
    }
    // A copy: what is kept would keep the whole piece.
    half = Buffer.from(bytes.subarray(from));
    if (half.length > MAX_RECORD_BYTES) return err(unreadable());
  }
  const said = half.toString('latin1');
  if (!hasBegun) return err(refusal(said, mark));
  if (said.includes(`\n${mark} whole\n`)) return ok({ isWhole: true });
  return said.includes(`\n${mark} partly\n`) ? ok({ isWhole: false }) : err(unreadable());
}

function fileOf(record: Buffer): BoxFile | null {
  const [, kind = '', bytes, seconds, mode, path = ''] =
    /^([a-zA-Z]) (\d{1,15}|\?) (-?\d{1,12}|\?) ([0-7]{1,5}|\?) ([^]+)$/.exec(record.toString()) ??
    [];
  if (path === '') return null;
  const known = (figure: string | undefined): figure is string =>
    figure !== undefined && figure !== '?';
  return {
    name: path,
    kind: KINDS[kind] ?? 'other',
    sizeBytes: known(bytes) ? Number(bytes) : null,
    modifiedAtMs: known(seconds) ? Number(seconds) * 1000 : null,
    mode: known(mode) ? parseInt(mode, 8) : null,
    hasUsableName: hasUsableName(path),
  };
}

function refusal(said: string, mark: string): Problem {
  if (said.includes(`${mark} refused not-there\n`)) {
    return problem('no-such-file', 'The folder is not on the box.');
  }
  return said.includes(`${mark} refused not-enterable\n`)
    ? problem('file-denied', 'The box does not allow this for the folder.')
    : unreadable();
}

const unreadable = (): Problem => problem('file-failed', 'The box could not search the folder.');
