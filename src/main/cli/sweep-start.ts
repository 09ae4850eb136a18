import { sweepId } from '../../shared/runs/sweep/sweep-schema.ts';
import { newSweepId } from '../runs/sweep/plan-share.ts';
import type { Command } from './command.ts';
import { launchSweep, type SweepStarted } from './launch-sweep.ts';
import { REACHES_A_BOX, withNamedBoxes } from './named-box.ts';
import { OVER, readOver } from './over-flag.ts';
import { printable } from './printable.ts';
import { countOf, sweepPlanLines } from './sweep-boxes.ts';
import { BOXES, readSweepWish } from './sweep-wish.ts';
import { isNameTyped } from './typed-line.ts';

export const sweepStart: Command = {
  name: 'sweep start',
  summary: 'launches a sweep on its boxes: shows the plan, and does it once you typed its name',
  operands: ['<file>'],
  flags: {
    boxes: BOXES,
    yes: { value: null, help: 'launches what the plan shows without asking' },
    over: OVER,
    id: {
      value: 'id',
      help: 'the id of the sweep; asking again with the same one begins nothing twice',
    },
    files: { value: null, help: 'prints each file that is put there, to the letter' },
  },
  details: [
    'All that it does is what the plan just showed, on every box or on none: each must answer, and nothing may block. --over holds for every box.',
    'The id stands in the answer. A start that was cut off goes on with --id: what has begun is left alone, and each box keeps its cells.',
    ...REACHES_A_BOX,
    'Exit code 1: nothing was launched, or not on every box. 2: the file cannot be used, or a box is not in the list.',
  ],
  async run({ operands: [file = ''], flags, isJson }, context) {
    const id = flags.get('id') ?? newSweepId();
    if (!sweepId.safeParse(id).success) return { refused: `${printable(id)} is no id of a sweep.` };
    const read = await readSweepWish(file, flags, id);
    if (!read.ok) return { refused: read.error };
    const { wish, names } = read.value;
    return withNamedBoxes(names, context, async ([first, ...others]) => {
      if (first === undefined) return { refused: 'no box is named.' };
      const started = await launchSweep([first, ...others], wish, {
        context,
        over: readOver(flags),
        confirm: async (planned, stands) => {
          if (!isJson) await context.out.lines(sweepPlanLines(planned, flags.has('files')));
          if (stands !== null || flags.has('yes')) return true;
          return !isJson && (await isNameTyped(planned.name, context));
        },
      });
      if (!started.ok) return { refused: started.error };
      const { planned, outcomes } = started.value;
      const isLaunched = planned.boxes.every(
        ({ box, cells }) => cells.length === 0 || outcomes.get(box) === null,
      );
      if (isJson) await context.out.json({ ...toldJson(started.value), isLaunched });
      else await context.out.lines(['', ...startedLines(started.value)]);
      return isLaunched ? 0 : 1;
    });
  },
};

function startedLines({ planned, refusal, outcomes }: SweepStarted): readonly string[] {
  const { id, name, boxes } = planned;
  const told = boxes.flatMap(({ box, run, cells, hasBegun }) => {
    const outcome = outcomes.get(box);
    if (outcome === undefined) return [];
    if (outcome !== null) return [`  ${box}: not launched. ${outcome.message}`];
    const how = hasBegun ? 'had begun already' : `${cells.length === 1 ? 'is' : 'are'} launched`;
    return [`  ${box}: ${countOf(cells.length)} ${how} (${run})`];
  });
  const head = refusal === null ? `${name} is ${id}.` : `Nothing was launched. ${refusal}`;
  return [head, ...told];
}

function toldJson({ planned, refusal, outcomes }: SweepStarted): object {
  return {
    ...planned,
    refusal,
    boxes: planned.boxes.map((each) => ({
      ...each,
      isLaunched: outcomes.get(each.box) === null,
      notLaunched: outcomes.get(each.box) ?? null,
    })),
  };
}
