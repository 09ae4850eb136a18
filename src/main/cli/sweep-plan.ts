import type { Command, ExitCode } from './command.ts';
import { REACHES_A_BOX, withNamedBoxes } from './named-box.ts';
import { ONLY_PLANNED, overSweepBoxes, sweepPlanLines, type PlannedSweep } from './sweep-boxes.ts';
import { BOXES, readSweepWish } from './sweep-wish.ts';

export const sweepPlan: Command = {
  name: 'sweep plan',
  summary:
    'shows everything that launching a sweep would do on each of its boxes, and launches nothing',
  operands: ['<file>'],
  flags: {
    boxes: BOXES,
    files: { value: null, help: 'prints each file that would be put there, to the letter' },
  },
  details: [
    'The plan that the window shows: how the cells are dealt out and why, and of each box the checks, cells, folders, time and cost.',
    'The cells are dealt out over the boxes that answer, by what one costs there. Changes nothing on any box.',
    ...REACHES_A_BOX,
    'Exit code 1: something blocks on a box, or one did not answer. 2: the file cannot be used, or a box is not in the list.',
  ],
  async run({ operands: [file = ''], flags, isJson }, context) {
    const read = await readSweepWish(file, flags);
    if (!read.ok) return { refused: read.error };
    const { wish, names } = read.value;
    return withNamedBoxes(names, context, async (boxes) => {
      const planned = await overSweepBoxes(boxes, wish, context, ONLY_PLANNED);
      if (isJson) await context.out.json(planned);
      else await context.out.lines(sweepPlanLines(planned, flags.has('files')));
      return exitCodeOf(planned);
    });
  },
};

function exitCodeOf({ boxes }: PlannedSweep): ExitCode {
  const isClear = boxes.every(
    ({ problem, plan }) =>
      problem === null && plan?.checks.some(({ answer }) => answer === 'block') !== true,
  );
  return isClear ? 0 : 1;
}
