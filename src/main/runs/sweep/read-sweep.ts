import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { SweepRef } from '../../../shared/runs/sweep/sweep-roster.ts';
import { sweepFile, type SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { digestOf } from './sweep-book.ts';

/** Ten thousand cells with long commands. */
const MAX_CHARS = 13 * 1024 * 1024;

/** The file that tells of a sweep in the folder of one of its runs. SECURITY: a box can write anything there. */
export async function readSweep(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  run: string,
  { id, digest }: SweepRef,
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
  const told = parsed(stdout.slice(from + `${mark} sweep\n`.length, to));
  const file = sweepFile.safeParse(told);
  if (!file.success)
    return unread('The file of the sweep on the box is not one that a launch writes.');
  const { roster } = file.data;
  return roster.id === id && digestOf(roster) === digest
    ? ok(file.data)
    : unread('The file of the sweep on the box was changed since its launch.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // judged by the schema
  }
}

const unread = (because: string): Result<never, Problem> => err(problem('sweep-not-read', because));
