import { err, ok } from '../../shared/result.ts';
import { isoTime } from '../../shared/meter/ledger-csv.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { nameOf, textOf } from '../../shared/runs/launch/run-words.ts';
import { launchedHere, sayMachineGone } from '../runs/resume/machine-gone.ts';
import type { Command } from './command.ts';
import { findChain } from './known-runs.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';

export const runsMachineGone: Command = {
  name: 'runs machine-gone',
  summary:
    'says that the machine which launched a run or a queue, and has the same home, is gone for good',
  operands: ['<box>', '<run>'],
  flags: {
    yes: { value: null, help: 'says so; without this nothing is done, and what it means is said' },
  },
  details: [
    'Of a run that stands as “Launched on …”. It is given by the id of any of its runs, or by its name where nothing else has it.',
    'No look can know this, so the run folder keeps that a person has said it: the run is lost then, it can be resumed here, and what it saves into is free. If that machine still runs it, two may write the same files. It is denied once its log grows, or of a queue its journal or a log of a cell, until somebody goes on with it; its results are not looked at. It is refused where that has grown within the last two minutes.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, it was launched on this machine, or --yes is missing.',
  ],
  run: ({ operands: [name = '', wanted = ''], flags, isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const { box, scripts } = known;
      const isSaid = flags.has('yes');
      const done = await overItsLink(known, async (connection) => {
        const found = await findChain(connection, known, wanted, 'run');
        if (!found.ok) return found;
        const { id, status } = found.value;
        if (status.kind !== 'elsewhere') return err(launchedHere());
        const { machine } = status;
        const said = isSaid ? await sayMachineGone(connection, scripts, id, machine) : ok(null);
        return said.ok ? ok({ run: found.value, machine }) : said;
      });
      if (!done.ok) return tellUnreached(known, done.error, 'run', isJson);
      const { run, machine } = done.value;
      const what = `${box.name}: ${nameOf(run)} (${run.id})`;
      if (isJson) {
        const told = { run: run.id, machine, isSaid };
        await context.out.json({ box: box.name, problem: null, ...told });
      } else {
        await context.out.line(
          isSaid
            ? `${what} is lost now: its folder keeps that you have said that ${textOf(machine)} is gone for good. Nobody has seen its end.`
            : `${what} would be lost: its folder would keep that you say that ${textOf(machine)} is gone for good. If it still runs there, it and what you resume here may write the same files. ${grew(run)} Add --yes to say so.`,
        );
      }
      return isSaid ? 0 : 1;
    }),
};

/** When it last wrote, for the person to judge by. */
const grew = ({ log, queue }: LaunchedRun): string =>
  `${queue === undefined ? 'Its log' : 'Its own log, not those of its cells,'} last grew ${log === null ? 'at no known time' : isoTime(log.modifiedAtMs)}.`;
