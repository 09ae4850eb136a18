import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { readSavers, type Savers } from '../../shared/runs/launch/savers.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { isPerCell } from '../../shared/runs/queue/cell-results.ts';
import { activeCells, type QueueCell } from '../../shared/runs/queue/queue-cell.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { sha256 } from '../storage/sha256.ts';

/** Ten thousand folders on a network disk take their time. */
const TIMEOUT_MS = 60_000;

export interface SavedPlaces {
  /** Of a queue; null: the command of the request is all that runs. */
  readonly cells: readonly QueueCell[] | null;
  /** Of a sweep, the folder of each of its cells; null: it is none. */
  readonly folders: readonly string[] | null;
}

/** What a run saves into, a line each, as resources/onbox/parts/saved-places.sh has it. */
export function placesOf(request: RunRequest, { cells, folders }: SavedPlaces): readonly string[] {
  const { results, command, activate, env } = request;
  if (folders !== null) return folders.map(folderLine);
  if (cells !== null && isPerCell(results)) return placesOfCells(cells);
  if (results !== null) return [folderLine(results)];
  // Where it saves only the command knows: the same one does so in the same place.
  const same = JSON.stringify([cells ?? command, activate, Object.entries(env).sort()]);
  return [`job ${sha256(same)}`];
}

/** The same of cells that have a folder of their own each. */
export const placesOfCells = (cells: readonly QueueCell[]): readonly string[] =>
  activeCells(cells).flatMap(({ cell: { results } }) =>
    results === undefined ? [] : [folderLine(results)],
  );

const folderLine = (folder: string): string => `folder ${folder}`;

/** What a person launches beside, where they do. */
export const besideOf = (savers: Savers | null): readonly string[] =>
  savers?.live.map(({ id }) => id) ?? [];

/** Who saves there. `after`: the run that this one goes on after; it saves into the same, where no places are named. */
export async function askSavers(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  folder: string,
  { places, after = '' }: { readonly places: readonly string[]; readonly after?: string },
): Promise<Result<Savers | null, Problem>> {
  const mark = newMark();
  const ran = await scripts.runWithInput(
    connection,
    'run-savers.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_FOLDER: folder, LEASEHOLD_AFTER: after },
    [...places, '+end', ''].join('\n'),
    { timeoutMs: TIMEOUT_MS },
  );
  return ran.ok ? ok(readSavers(ran.value.stdout, mark)) : ran;
}
