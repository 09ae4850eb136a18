import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** Some hundred folders, each on a slow disk. */
const TIMEOUT_MS = 60_000;

/** Where these folders of a box really are, by their whole paths. What has a line break in its path is not among them. */
export async function realPlaces(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  paths: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, Problem>> {
  const asked = [...new Set(paths)].filter((path) => !path.includes('\n'));
  const mark = newMark();
  const ran = await scripts.runWithInput(
    connection,
    'real-places.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_FOLDER: '/' },
    [...asked.map((path) => `folder ${path}`), '+end', ''].join('\n'),
    { timeoutMs: TIMEOUT_MS },
  );
  if (!ran.ok) return ran;
  const told = ran.value.stdout
    .split('\n')
    .flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : []));
  const real = told.slice(0, -1).map((line) => line.replace(/^folder /, ''));
  return told.at(-1) === 'whole' && real.length === asked.length && !told.includes('late')
    ? ok(new Map(asked.map((path, at) => [path, real[at] ?? path])))
    : err(
        problem('results-unknown', 'Where the folders on the box really are was not told in time.'),
      );
}
