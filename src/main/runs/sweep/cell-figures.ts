import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import {
  readCellTails,
  TAIL_BYTES,
  type CellFigures,
} from '../../../shared/runs/sweep/cell-figures.ts';
import type { SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';
import type { SweepView } from '../../../shared/runs/sweep/sweep-view.ts';
import type { Connections } from '../../boxes/box-roster.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { readFileFigures } from './cell-files.ts';

const MAX_CHARS = 4 * 1024 * 1024;

export interface FiguresOptions {
  /** What the cells are; null: it cannot be read here, so that their folders are not known. */
  readonly plain: Pick<SweepRoster, 'base' | 'cells'> | null;
  readonly progress: readonly string[];
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** SECURITY: a name in which it finds a secret is no name of a figure. */
  readonly redact: (text: string) => string;
}

/**
 * The newest figures of these cells, by their place in the roster: of their logs, read as the request of the sweep says (`progress`), or,
 * where a log has none, of a file in the results folder of the cell. One whose box is away is missing.
 */
export async function readFigures(
  { shares, cells }: Pick<SweepView, 'shares' | 'cells'>,
  places: readonly number[],
  { plain, progress, roster, scripts, redact }: FiguresOptions,
): Promise<Result<Readonly<Record<number, CellFigures>>, Problem>> {
  const found: Record<number, CellFigures> = {};
  for (const [at, { run, boxId }] of shares.entries()) {
    const connection = boxId === null ? null : roster.connectionOf(boxId);
    const placeOf = new Map(
      places.flatMap((place): [number, number][] => {
        const cell = cells[place];
        return cell?.share === at && cell.index !== null ? [[cell.index, place]] : [];
      }),
    );
    if (connection === null || placeOf.size === 0) continue;
    const mark = newMark();
    const ran = await scripts.runWithInput(
      connection,
      'cell-tails.sh',
      {
        LEASEHOLD_MARK: mark,
        LEASEHOLD_QUEUE: run,
        LEASEHOLD_CELLS: [...placeOf.keys()].join(' '),
        LEASEHOLD_LAST: String(TAIL_BYTES),
      },
      '',
      { maxChars: MAX_CHARS },
    );
    if (!ran.ok) return ran;
    const tails = readCellTails(ran.value.stdout, mark, redact, progress);
    if (tails === null) {
      return err(problem('runs-not-read', 'The box did not read the logs of all these cells.'));
    }
    for (const [index, figures] of tails) {
      const place = placeOf.get(index);
      if (place !== undefined) found[place] = figures;
    }
    const silent = [...placeOf.values()].filter(
      (place) => Object.keys(found[place] ?? {}).length === 0,
    );
    if (plain === null || silent.length === 0) continue;
    const folders = silent.map((place) => plain.cells[place]?.results ?? '');
    const { folder } = plain.base;
    const files = await readFileFigures(connection, folders, { scripts, redact, folder });
    if (!files.ok) return files;
    for (const [at, figures] of files.value) found[silent[at] ?? -1] = figures;
  }
  return ok(found);
}
