import { triage as judge, type Triage } from '../../shared/triage/triage.ts';
import type { Command } from './command.ts';
import { readWhole } from './text-input.ts';

const RETRY_WORDS = {
  no: 'Do not start it again as it is.',
  'after the fix': 'Start it again after that.',
  'a few times': 'The same configuration may be started again, a few times at most.',
} as const;

export const triage: Command = {
  name: 'triage',
  summary: 'says from the end of a run’s log what ended it, and what to do',
  operands: ['<file|->'],
  flags: {},
  details: [
    'Reads the beginning and the last 240 KiB. A log that just stops proves nothing.',
    'Exit code 1: a failure, or it cannot be told.',
  ],
  async run({ operands: [file = ''], isJson }, context) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const answer = judge(text.value);
    if (isJson) await context.out.json(answer);
    else await context.out.lines(describe(answer));
    return answer.kind === 'clear' ? 0 : 1;
  },
};

function describe(answer: Triage): readonly string[] {
  switch (answer.kind) {
    case 'clear':
      return [`It ended well: ${answer.line}`];
    case 'unknown':
      return [`Unknown: ${answer.because}.`];
    case 'found': {
      const { title, answer: advice, retry } = answer.failure;
      return [
        `This looks like: ${title}.`,
        `Do: ${advice} ${RETRY_WORDS[retry]}`,
        `Because of: ${answer.line}`,
        ...(answer.caveat === null ? [] : [answer.caveat]),
        ...(answer.entry === null ? [] : [`More: gotchas show ${answer.entry}`]),
      ];
    }
  }
}
