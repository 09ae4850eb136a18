import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { textOf } from '../../shared/runs/launch/run-words.ts';
import { marksOf } from '../../shared/runs/queue/read-queue-look.ts';
import {
  judgeSweep,
  SWEEP_GROUPS,
  tallySweep,
  type SeenShare,
} from '../../shared/runs/sweep/judge-sweep.ts';
import type { SweepRoster } from '../../shared/runs/sweep/sweep-roster.ts';
import type { SweepCell } from '../../shared/runs/sweep/sweep-view.ts';
import { GROUP_WORDS, sweepCellWords } from '../../shared/runs/sweep/sweep-words.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { lookAtQueue } from '../runs/queue/look-at-queue.ts';
import { newestTurn } from '../runs/sweep/newest-turn.ts';
import { checkSweepHere, readSweep } from '../runs/sweep/read-sweep.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { Command } from './command.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { tableLines } from './table.ts';

export const sweepStatus: Command = {
  name: 'sweep status',
  summary: 'the cells of a sweep, and how each stands as far as this box tells',
  operands: ['<box>', '<sweep>'],
  flags: {},
  details: [
    'The sweep is given by its id, or by its name where only one on the box has it. Cells on other boxes are told as unknown. Changes nothing.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such sweep, or did not tell it as a whole.',
  ],
  run: ({ operands: [name = '', wanted = ''], isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const read = await overItsLink(known, (connection) =>
        readStatus(connection, known.scripts, wanted),
      );
      if (!read.ok) return tellUnreached(known, read.error, 'sweep', isJson);
      const { roster, cells, shares } = read.value;
      const told = cells.map((cell, place) => ({
        ...{ name: redactText(roster.cells[place]?.name ?? ''), ...cell },
        place: cell.share === null ? null : (shares[cell.share]?.place ?? null),
      }));
      if (isJson) {
        const sweep = { id: roster.id, name: roster.name, cells: told };
        await context.out.json({ box: known.box.name, problem: null, sweep });
        return 0;
      }
      const tally = tallySweep(cells);
      const sums = SWEEP_GROUPS.flatMap((group) =>
        tally[group] === 0 ? [] : [`${String(tally[group])} ${GROUP_WORDS[group].toLowerCase()}`],
      );
      await context.out.line(`${textOf(roster.name)} (${roster.id}): ${sums.join(', ')}`);
      const rows = told.map((cell) => [
        textOf(cell.name),
        sweepCellWords(cell, cell.state.kind !== 'unseen').words,
        cell.place === null ? null : textOf(cell.place),
        'beganAtMs' in cell.state ? isoTime(cell.state.beganAtMs) : null,
      ]);
      await context.out.lines(tableLines(['cell', 'stands', 'box', 'began'], rows));
      return 0;
    }),
};

interface Status {
  readonly roster: SweepRoster;
  readonly shares: readonly SeenShare[];
  readonly cells: readonly SweepCell[];
}

/** Every run of the sweep on the box, and what its file says of runs on others. */
async function readStatus(
  connection: SshConnection,
  scripts: OnboxScripts,
  wanted: string,
): Promise<Result<Status, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs } = looked.value;
  const ofSweeps = runs.filter(({ id, sweep, queue }) => sweep !== undefined && queue?.id === id);
  const fits = ofSweeps.filter(({ name, sweep }) => sweep?.id === wanted || name === wanted);
  const ids = new Set(fits.map(({ sweep }) => sweep?.id));
  if (ids.size !== 1) {
    const found = ids.size === 0 ? 'has no such sweep' : 'has several sweeps of that name';
    return err(problem('sweep-not-read', `The box ${found}.`));
  }
  let roster: SweepRoster | null = null;
  const shares: SeenShare[] = [];
  // The oldest first, as they were launched.
  for (const run of [...fits].reverse()) {
    if (run.sweep === undefined) continue;
    const read = await readSweep(connection, scripts, run.id, {
      ref: run.sweep,
      check: checkSweepHere,
    });
    if (!read.ok) return read;
    roster = read.value.roster;
    for (const share of read.value.shares) {
      if (share.run !== run.id) {
        shares.push({ ...share, presence: 'unseen', wasThere: false, queue: null });
        continue;
      }
      const newest = newestTurn(run, runs);
      const queue = await lookAtQueue(connection, scripts, { queue: run.id, run: newest.id });
      if (!queue.ok) return queue;
      const { cells, entries, pruning } = queue.value;
      shares.push({
        ...share,
        presence: newest.status.kind === 'elsewhere' ? 'unseen' : isOver(newest) ? 'over' : 'alive',
        wasThere: true,
        queue: { cells: cells ?? [], marks: marksOf(entries, {}), pruning },
      });
    }
  }
  return roster === null
    ? err(problem('sweep-not-read', 'The box has no such sweep.'))
    : ok({ roster, shares, cells: judgeSweep(roster, shares) });
}
