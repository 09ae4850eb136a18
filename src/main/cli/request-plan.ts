import { planOf } from '../runs/plan-of.ts';
import { planFor } from './box-plan.ts';
import { chooseBox, choiceLines } from './box-choice.ts';
import type { Command } from './command.ts';
import { REACHES_A_BOX, tellUnreached, withEveryBox, withNamedBox } from './named-box.ts';
import { planLines } from './plan-lines.ts';
import { readRunFile } from './read-run-file.ts';

export const requestPlan: Command = {
  name: 'request plan',
  summary: 'shows everything that launching a request on a box would do, and launches nothing',
  operands: ['[<box>]', '<file>'],
  flags: {
    files: { value: null, help: 'prints each file that would be put there, to the letter' },
  },
  details: [
    'The plan that the window shows: checks, commands, files and bytes, where each thing lands and whether it stays, time and cost.',
    'Without a box, reaches each box that was added and says which fits best, and why: its GPUs, the order of the platforms, the price.',
    'Secrets are named; their values are not read. Changes nothing on the box.',
    ...REACHES_A_BOX,
    'Exit code 1: something blocks the launch, the box did not answer, or no box fits. 2: the request file cannot be used.',
  ],
  async run({ operands, flags, isJson }, context) {
    const [file = '', name] = [...operands].reverse();
    const wanted = await readRunFile(file);
    if (!wanted.ok) return { refused: wanted.error };
    if (name === undefined) {
      return withEveryBox(context, async (boxes) => {
        const ranked = await chooseBox(boxes, wanted.value.request, context);
        if (isJson) await context.out.json({ boxes: ranked });
        else await context.out.lines(choiceLines(ranked, file));
        return ranked[0]?.fits === true ? 0 : 1;
      });
    }
    return withNamedBox(name, context, async (known) => {
      const planned = await planFor(known, wanted.value);
      if (!planned.ok) return tellUnreached(known, planned.error, 'plan', isJson);
      const plan = planOf(planned.value, await known.scripts.textOf('run-launch.sh'));
      if (isJson) await context.out.json({ box: known.box.name, problem: null, plan });
      else await context.out.lines(planLines(known.box.name, plan, flags.has('files')));
      return plan.checks.some(({ answer }) => answer === 'block') ? 1 : 0;
    });
  },
};
