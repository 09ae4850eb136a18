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
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { readFileFigures, type KnownFiles, type SilentCell } from './cell-files.ts';

const MAX_CHARS = 4 * 1024 * 1024;

export interface FiguresOptions {
  /** What the cells are; null: it cannot be read here, so that their folders are not known. */
  readonly plain: Pick<SweepRoster, 'base' | 'cells'> | null;
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** SECURITY: a name in which it finds a secret is no name of a figure. */
  readonly redact: (text: string) => string;
  /** What earlier calls for this sweep have found. */
  readonly known: KnownFiles;
  readonly nowMs: number;
}

type Figures = Readonly<Record<number, CellFigures>>;

/**
 * The newest figures of these cells, by their place in the roster: of their logs, read as the request of the sweep says, or, where a log
 * has none, of a file in the results folder of the cell. One whose box is away, or did not answer as a whole, is missing; that none
 * answered is a problem.
 */
export async function readFigures(
  { shares, cells }: Pick<SweepView, 'shares' | 'cells'>,
  places: readonly number[],
  options: FiguresOptions,
): Promise<Result<Figures, Problem>> {
  const answers = await Promise.all(
    shares.map(async ({ run, boxId }, at) => {
      const connection = boxId === null ? null : options.roster.connectionOf(boxId);
      const mine = places.flatMap((place): readonly BegunCell[] => {
        const cell = cells[place];
        return cell?.share === at && cell.index !== null
          ? [{ place, index: cell.index, isRunning: cell.state.kind === 'running' }]
          : [];
      });
      return connection === null || mine.length === 0
        ? ok({})
        : await figuresOfShare(connection, run, mine, options);
    }),
  );
  const found = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const failed = answers.find((answer) => !answer.ok);
  const all: Figures = Object.assign({}, ...found) as Figures;
  return failed === undefined || Object.keys(all).length > 0 ? ok(all) : failed;
}

interface BegunCell {
  readonly place: number;
  readonly index: number;
  readonly isRunning: boolean;
}

async function figuresOfShare(
  connection: SshConnection,
  run: string,
  cells: readonly BegunCell[],
  { plain, scripts, redact, known, nowMs }: FiguresOptions,
): Promise<Result<Figures, Problem>> {
  const mark = newMark();
  const ran = await scripts.runWithInput(
    connection,
    'cell-tails.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_QUEUE: run,
      LEASEHOLD_CELLS: cells.map(({ index }) => index).join(' '),
      LEASEHOLD_LAST: String(TAIL_BYTES),
    },
    '',
    { maxChars: MAX_CHARS },
  );
  if (!ran.ok) return ran;
  const tails = readCellTails(ran.value.stdout, mark, redact, plain?.base.progress);
  if (tails === null) {
    return err(problem('runs-not-read', 'The box did not read the logs of all these cells.'));
  }
  const tell: Record<number, CellFigures> = {};
  const silent: SilentCell[] = [];
  for (const { place, index, isRunning } of cells) {
    const told = tails.get(index);
    const results = plain?.cells[place]?.results;
    const isSilent = Object.keys(told ?? {}).length === 0;
    if (isSilent && results !== undefined) silent.push({ place, results, isRunning });
    else if (told !== undefined) tell[place] = told;
  }
  if (plain === null || silent.length === 0) return ok(tell);
  const { folder } = plain.base;
  const files = await readFileFigures(connection, silent, {
    ...{ scripts, redact, folder, known, nowMs },
  });
  // What was not read is missing, and is asked for again; what the logs tell stays.
  if (!files.ok) return silent.length === cells.length ? files : ok(tell);
  return ok({ ...tell, ...Object.fromEntries(files.value) });
}
