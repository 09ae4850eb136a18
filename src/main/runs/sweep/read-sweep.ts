import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SweepRef } from '../../../shared/runs/sweep/sweep-roster.ts';
import type { SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import type { Workers } from '../../workers/workers.ts';
import { checkSweepText } from './sweep-text.ts';

/** Ten thousand cells with long commands. */
const MAX_CHARS = 13 * 1024 * 1024;

/** Reads the text of a sweep's file, wherever that is done. */
export type CheckSweep = (text: string, ref: SweepRef) => Promise<Result<SweepFile, Problem>>;

/** In this thread, which answers nobody meanwhile: for the command line. */
export const checkSweepHere: CheckSweep = (text, ref) =>
  Promise.resolve(toProblem(checkSweepText(text, ref)));

export function checkSweepIn(workers: Pick<Workers, 'run'>): CheckSweep {
  return async (text, ref) => {
    const done = await workers.run('check-sweep', { text, ref });
    if (done.ok) return toProblem(done.value);
    // What a worker dies of it would die of again, so that this is an answer about the file.
    return ['worker-ended', 'job-failed'].includes(done.error.code)
      ? unread('The file of the sweep on the box could not be checked.')
      : done;
  };
}

/** The file that tells of a sweep in the folder of one of its runs. SECURITY: a box can write anything there. */
export async function readSweep(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  run: string,
  { ref, check }: { readonly ref: SweepRef; readonly check: CheckSweep },
): Promise<Result<SweepFile, Problem>> {
  const mark = newMark();
  const values = { LEASEHOLD_MARK: mark, LEASEHOLD_ID: run };
  const ran = await scripts.runWithInput(connection, 'sweep-read.sh', values, '', {
    maxChars: MAX_CHARS,
  });
  if (!ran.ok) return ran;
  const { stdout } = ran.value;
  const from = stdout.indexOf(`${mark} sweep\n`);
  const to = stdout.lastIndexOf(`\n${mark} whole`);
  if (from < 0 || to < from) return unread('The box did not tell the whole sweep.');
  return check(stdout.slice(from + `${mark} sweep\n`.length, to), ref);
}

const toProblem = (checked: Result<SweepFile, string>): Result<SweepFile, Problem> =>
  checked.ok ? ok(checked.value) : unread(checked.error);

const unread = (because: string): Result<never, Problem> => err(problem('sweep-not-read', because));
