import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { readLogBytes } from '../runs/log-bytes.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export interface ResultBytes {
  /** On the box: the folder, and the file from there on. */
  readonly folder: string;
  readonly path: string;
  readonly from: number;
  readonly most: number;
  readonly signal: AbortSignal;
  readonly take: (piece: Buffer) => Promise<void>;
}

/** With this result-file.sh says that the file is shorter than that, no plain file, or gone. */
const SHORTER = 3;

/** Some bytes of a file, over a command: a box without SFTP has it too, and one stream is not bound by round trips. */
export async function readResultBytes(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { folder, path, from, most, signal, take }: ResultBytes,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const ran = await scripts.stream(
    connection,
    'result-file.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_FOLDER: folder,
      LEASEHOLD_RESULTS: folder,
      LEASEHOLD_FILE: path,
      LEASEHOLD_FROM: String(from),
      LEASEHOLD_MOST: String(most),
    },
    nothing(),
    {
      read: (stdout) => readLogBytes(stdout, mark, { begin: () => undefined, take }),
      signal,
      timeoutMs: null,
    },
  );
  if (!ran.ok) return ran;
  const { end } = ran.value;
  if (end.kind === 'exited' && end.code === SHORTER) {
    const said = 'It is gone, shorter than it was, or no plain file any more.';
    return err(problem('results-not-pulled', said));
  }
  return ok(null);
}

/** On its stdin. */
async function* nothing(): AsyncGenerator<Uint8Array, void> {}
