import { isoTime } from '../../shared/meter/ledger-csv.ts';
import { nameOf, statusWords, textOf } from '../../shared/runs/launch/run-words.ts';
import { cutOffWords, selectOffered } from '../../shared/runs/resume/resume-offer.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import type { Command } from './command.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { tableLines } from './table.ts';

export const runsList: Command = {
  name: 'runs list',
  summary: 'the runs that were launched on a box, from whatever computer, and how each stands',
  operands: ['<box>'],
  flags: { before: { value: 'id', help: 'only runs that are older than this one' } },
  details: [
    'Reads the run folders on the box and its process table; changes nothing.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, or did not tell its runs as a whole.',
  ],
  run: ({ operands: [name = ''], flags, isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const before = flags.get('before') ?? '';
      const looked = await overItsLink(known, (connection) =>
        lookAtRuns(connection, known.scripts, { before }),
      );
      if (!looked.ok) return tellUnreached(known, looked.error, 'runs', isJson);
      const { out } = context;
      const { leftOut, behind } = looked.value;
      const runs = looked.value.runs.map((run) => ({
        ...run,
        name: redactText(run.name),
        command: redactText(run.command),
      }));
      if (isJson) {
        await out.json({ box: known.box.name, problem: null, runs, leftOut });
        return 0;
      }
      if (runs.length === 0) {
        await out.line(
          before === ''
            ? 'Nothing was launched on this box.'
            : `No run on this box is older than ${before}.`,
        );
      } else {
        const rows = runs.map((run) => [
          run.id,
          nameOf(run),
          statusWords(run, true).words,
          run.launchedAtMs === null ? null : isoTime(run.launchedAtMs),
          textOf(run.command),
        ]);
        await out.lines(tableLines(['id', 'name', 'stands', 'launched', 'command'], rows));
      }
      for (const run of selectOffered(runs)) {
        await out.line(
          `${nameOf(run)} (${run.id}) ${cutOffWords(run)} To see what resuming it would do: runs resume ${known.box.name} ${run.id}`,
        );
      }
      if (leftOut > 0) {
        await out.line(
          `Older ones, which are over and not listed: ${String(leftOut)}. To list them: runs list ${known.box.name} --before ${behind ?? ''}`,
        );
      }
      return 0;
    }),
};
