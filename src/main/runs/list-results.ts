import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun, ResultList } from '../../shared/runs/launch/launched-run.ts';
import { readRunResults } from '../../shared/runs/launch/read-run-results.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** As long as what one command may print leaves room for. */
const MOST_BYTES = 400_000;

const REFUSALS: Readonly<Record<string, string>> = {
  'no-folder': 'The results folder does not exist on the box.',
  'not-a-folder': 'The results folder is a file, not a folder.',
  'not-enterable': "The results folder can't be entered: you have no permission.",
};

/** Which files lie where the results of a run were to be. */
export async function listResults(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  { folder, results }: Pick<LaunchedRun, 'folder' | 'results'>,
  signal?: AbortSignal,
): Promise<Result<ResultList, Problem>> {
  if (results === null) {
    return err(
      problem('results-not-read', 'This run names no results folder.', {
        nextStep: 'Name one when you launch the next run.',
      }),
    );
  }
  const mark = newMark();
  const askedAtMs = Date.now();
  const ran = await scripts.run(
    connection,
    'run-results.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_FOLDER: folder,
      LEASEHOLD_RESULTS: results,
      LEASEHOLD_MOST: String(MOST_BYTES),
    },
    undefined,
    signal,
  );
  if (!ran.ok) return ran;
  const list = readRunResults(ran.value.stdout, mark, askedAtMs);
  if (list !== null && typeof list !== 'string') return ok(list);
  const because = REFUSALS[list ?? ''] ?? 'The box did not list the results as a whole.';
  return err(problem('results-not-read', because));
}
