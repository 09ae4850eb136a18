import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { afterMark, newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';

/** Ten thousand folders on a network disk take their time. */
const TIMEOUT_MS = 120_000;

/** Which of these folders hold nothing, by their place in the list. */
export async function lookForEmpty(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  folder: string,
  results: readonly string[],
): Promise<Result<readonly number[], Problem>> {
  const mark = newMark();
  const ran = await scripts.runWithInput(
    connection,
    'sweep-results.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_FOLDER: folder },
    [...results, '+end', ''].join('\n'),
    { timeoutMs: TIMEOUT_MS },
  );
  if (!ran.ok) return ran;
  const said = afterMark(ran.value.stdout, mark);
  if (said.startsWith('refused no-folder')) {
    return err(problem('results-not-read', 'The folder of the sweep is not on the box any more.'));
  }
  const lines = ran.value.stdout.split('\n');
  if (!lines.includes(`${mark} whole`)) {
    return err(problem('results-not-read', 'The box did not look into all results folders.'));
  }
  return ok(
    lines.flatMap((line) => {
      const [, at] = line.startsWith(`${mark} `) ? (/ empty (\d{1,6})$/.exec(line) ?? []) : [];
      return at === undefined ? [] : [Number(at) - 1];
    }),
  );
}
