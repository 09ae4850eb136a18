import { err, ok } from '../../shared/result.ts';
import { clockEntries } from '../../shared/clocks/clock-entries.ts';
import { durationWords } from '../../shared/duration-words.ts';
import { judgeSaving, selectCheckpoints } from '../../shared/runs/checkpoints/checkpoints.ts';
import {
  adviceWords,
  cadenceWords,
  fixedEndWords,
  interruptionWords,
  saveTimeWords,
  type Figures,
} from '../../shared/runs/checkpoints/save-words.ts';
import { knownInterruptions } from '../runs/known-interruptions.ts';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { listResults } from '../runs/list-results.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { placeOfResults } from '../../shared/transfer/result-root.ts';
import { chooseRun, notChosen } from './known-runs.ts';
import type { Command } from './command.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { toldProfiles } from './box-plan.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import { counted } from './table.ts';
import { problem } from '../../shared/problem.ts';

const FIGURES: Figures = { duration: durationWords, count: counted };

export const runsSaves: Command = {
  name: 'runs saves',
  summary:
    'how often a launched run saves, how often its box cuts runs off, and what would cost least',
  operands: ['<box>', '<run>'],
  flags: {},
  details: [
    'Lists its results folder on the box, and reads what is kept here of the box; changes nothing.',
    'Of a run that names none it lists what was written where it works since it began.',
    'The run is given by its id, or by its name where only one has it.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, or its results folder could not be listed.',
  ],
  run: ({ operands: [name = '', wanted = ''], isJson }, context) =>
    withNamedBox(name, context, async (reached) => {
      const { box, database, folder, scripts } = reached;
      const profiles = await toldProfiles(context);
      const looked = await overItsLink(reached, async (connection) => {
        const look = await lookAtRuns(connection, scripts);
        if (!look.ok) return look;
        const found = chooseRun(look.value, wanted);
        if (found.kind !== 'found') return err(problem('run-not-listed', notChosen(found, wanted)));
        const listed = await listResults(connection, scripts, placeOfResults(found.run));
        return listed.ok
          ? ok({ run: found.run, runs: look.value.runs, list: listed.value })
          : listed;
      });
      if (!looked.ok) return tellUnreached(reached, looked.error, 'run', isJson);
      const { run, runs, list } = looked.value;
      const ledger = database.ledger.read(box.id);
      if (!ledger.ok) return tellUnreached(reached, ledger.error, 'run', isJson);
      const told = database.entries.read(box.id, 'clocks', clockEntries);
      const known = await knownInterruptions(box.id, {
        ...{ folder, runs, ledger: ledger.value, atMs: list.atMs },
        profile: profiles.all.find(({ profile }) => profile.id === box.platform)?.profile ?? null,
        told: told.ok ? told.value : null,
        evidence: database.evidence,
      });
      if (!known.ok) return tellUnreached(reached, known.error, 'run', isJson);
      const interruptions = known.value;
      const checkpoints = selectCheckpoints(list.files, run.keeps?.checkpoints);
      const saving = judgeSaving(checkpoints);
      const rests = {
        saving,
        saveMs: saving.saveMs,
        interruptions,
        enteredMs: null,
        isOver: isOver(run),
      };
      const { out } = context;
      if (isJson) {
        await out.json({ box: box.name, problem: null, run: run.id, saving, interruptions });
        return 0;
      }
      const timer = fixedEndWords(interruptions, FIGURES);
      await out.lines([
        `${nameOf(run)}: ${run.results === null && checkpoints.length === 0 ? 'no known checkpoint; where it saves is not known' : counted(checkpoints.length, 'checkpoint')}`,
        `  cadence        ${cadenceWords(saving, FIGURES)}`,
        `  save time      ${saveTimeWords(saving, FIGURES)}`,
        `  interruptions  ${interruptionWords(interruptions, FIGURES)}`,
        ...(timer === null ? [] : [`  platform       ${timer}`]),
        adviceWords(rests, FIGURES),
      ]);
      return 0;
    }),
};
