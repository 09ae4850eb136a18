import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import {
  END_GRACE_S,
  isOver,
  saidGone,
  type LaunchedRun,
} from '../../shared/runs/launch/launched-run.ts';
import { nameOf, statusWords, textOf } from '../../shared/runs/launch/run-words.ts';
import { endRun } from '../runs/end-run.ts';
import { passByEvidence } from '../teardown/pass-by-evidence.ts';
import { TeardownRecords } from '../teardown/teardown-records.ts';
import type { Command } from './command.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { findRun, notChosen, type FoundRun } from './known-runs.ts';

interface Ended {
  readonly kind: 'ended';
  readonly run: LaunchedRun;
}

export const runsKill: Command = {
  name: 'runs kill',
  summary: 'ends one launched run: asks it, waits, forces it, and looks whether it is gone',
  operands: ['<box>', '<run>'],
  flags: {
    yes: { value: null, help: 'ends it; without this nothing is done, and what would be is said' },
  },
  details: [
    `The run is given by its id, or by its name where only one has it. It has ${String(END_GRACE_S)} s to write what it must.`,
    'Only the processes that the launch recorded are ended, each known by when it began; nothing is found by a pattern (U1, U4).',
    'Where the evidence log cannot be read, that is said, and the run is ended.',
    'Refused while the evidence log has the end of the box under way: then only the window ends its runs.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, or still runs it.',
  ],
  run: ({ operands: [name = '', wanted = ''], flags, isJson }, context) =>
    withNamedBox(name, context, async (known) => {
      const { scripts, box, database } = known;
      const { out, err } = context;
      const faults: Problem[] = [];
      const acted = await overItsLink<FoundRun | Ended>(known, async (connection) => {
        const found = await findRun(connection, known, wanted);
        if (!found.ok || found.value.kind !== 'found') return found;
        const { run } = found.value;
        if (isOver(run) || !flags.has('yes')) return found;
        const records = new TeardownRecords(database.evidence);
        const change = { does: 'end-work', about: run.id } as const;
        const pass = passByEvidence(records, box.id, change, (found) => faults.push(found));
        if (!pass.ok) return pass;
        const ended = await endRun(connection, scripts, { id: run.id, pass: pass.value });
        return ended.ok ? ok({ kind: 'ended', run }) : ended;
      });
      for (const { message, nextStep } of faults) await err.line(`${message} ${nextStep}`);
      if (!acted.ok) return tellUnreached(known, acted.error, 'runs', isJson);
      const done = acted.value;
      if (done.kind === 'none' || done.kind === 'several') {
        await err.line(notChosen(done, wanted));
        return 1;
      }
      const { run } = done;
      const what = `${box.name}: ${nameOf(run)} (${run.id})`;
      const elsewhere = run.status.kind === 'elsewhere' ? run.status.machine : saidGone(run);
      if (isJson) await out.json({ box: box.name, run: run.id, isEnded: done.kind === 'ended' });
      else if (done.kind === 'ended') await out.line(`${what} is ended; nothing of it runs.`);
      else if (elsewhere !== null) {
        await out.line(
          `${what} was launched on ${textOf(elsewhere)}: only that machine can end it.`,
        );
      } else if (isOver(run)) {
        await out.line(`${what} is over already: ${statusWords(run, true).words}.`);
      } else await out.line(`${what} would be ended. Add --yes to end it.`);
      return done.kind === 'ended' || (isOver(run) && elsewhere === null) ? 0 : 1;
    }),
};
