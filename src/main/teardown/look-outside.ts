import { Readable } from 'node:stream';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readOutside, type OutsideLook } from '../../shared/teardown/read-outside.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { bytesWithin } from '../onbox/text-of.ts';
import { countFiles } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** A folder that takes longer has too many files to be looked through while a person waits. */
const LIMIT_S = 20;
/** One byte for each small file, and what is told of the others. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What start-up files print, and the lines around the list. */
const HEAD_BYTES = 100_000;
/** Start-up files, and a slow link. */
const SLACK_MS = 30_000;

/** Looks through these folders for what an end of the box would take besides the results (files-outside.sh). Changes nothing. */
export async function lookOutside(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { look, skip }: { readonly look: readonly string[]; readonly skip: readonly string[] },
  onFiles: (files: number) => void = () => undefined,
): Promise<Result<OutsideLook, Problem>> {
  const mark = newMark();
  const lines = [
    ...look.filter(isOneLine).map((folder) => `look ${folder}\n`),
    ...skip.filter(isOneLine).map((folder) => `skip ${folder}\n`),
  ];
  const values = {
    LEASEHOLD_MARK: mark,
    LEASEHOLD_MOST: String(MAX_BYTES),
    LEASEHOLD_LIMIT_S: String(LIMIT_S),
  };
  const ran = await scripts.stream(
    connection,
    'files-outside.sh',
    values,
    Readable.from([Buffer.from(lines.join(''))]),
    {
      read: (stdout) => bytesWithin(stdout, MAX_BYTES + HEAD_BYTES, countFiles(onFiles)),
      timeoutMs: look.length * LIMIT_S * 1000 + SLACK_MS,
    },
  );
  if (!ran.ok) return ran;
  const read = readOutside(ran.value.value.toString('utf8'), mark, skip);
  return read === null
    ? err(problem('results-unknown', 'The box did not tell all of what lies outside the results.'))
    : ok(read);
}

const isOneLine = (folder: string): boolean => !/[\n\r]/.test(folder);
