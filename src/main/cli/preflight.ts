import { checkLines, planFor } from './box-plan.ts';
import type { Command } from './command.ts';
import { REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';
import { readRunFile } from './read-run-file.ts';

export const preflight: Command = {
  name: 'preflight',
  summary: 'checks a box for a launch: what blocks it, what to mind, and what nobody can tell',
  operands: ['<box>', '<file>'],
  flags: {},
  details: [
    'The file is a request file, as “request new” writes one. Launches nothing and changes nothing on the box.',
    'The GPUs are read once, now: what shows itself only over time is seen by the window or a patrol.',
    ...REACHES_A_BOX,
    'Exit code 1: something blocks the launch, or the box did not answer. 2: the request file cannot be used.',
  ],
  async run({ operands: [name = '', file = ''], isJson }, context) {
    const wanted = await readRunFile(file);
    if (!wanted.ok) return { refused: wanted.error };
    return withNamedBox(name, context, async (known) => {
      const planned = await planFor(known, wanted.value);
      if (!planned.ok) return tellUnreached(known, planned.error, 'checks', isJson);
      const { checks } = planned.value;
      if (isJson) await context.out.json({ box: known.box.name, problem: null, checks });
      else await context.out.lines(checkLines(known.box.name, checks));
      return checks.some(({ answer }) => answer === 'block') ? 1 : 0;
    });
  },
};
