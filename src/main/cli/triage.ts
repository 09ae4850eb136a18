import type { Catalog } from '../../shared/detectors/alert-words.ts';
import { failureWords } from '../../shared/triage/failures.ts';
import { triage as judge, type Triage } from '../../shared/triage/triage.ts';
import type { Command } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { readWhole } from './text-input.ts';

const RETRY_WORDS = {
  no: 'Do not start it again as it is.',
  'after the fix': 'Start it again after that.',
  'a few times': 'The same configuration may be started again, a few times at most.',
} as const;

export const triage: Command = {
  name: 'triage',
  summary: 'finds in the end of a run’s log what ended it, and what to do',
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
    const catalog = await catalogFor(context);
    if (isJson) await context.out.json(inWords(answer, catalog));
    else await context.out.lines(describe(inWords(answer, catalog)));
    return answer.kind === 'clear' ? 0 : 1;
  },
};

/** With the name and the fixed answer of the failure, as the entry has them. */
function inWords(answer: Triage, catalog: Catalog) {
  if (answer.kind !== 'found') return answer;
  const { failure } = answer;
  return { ...answer, failure: { ...failure, ...failureWords(catalog, failure.id) } };
}

function describe(answer: ReturnType<typeof inWords>): readonly string[] {
  switch (answer.kind) {
    case 'clear':
      return [`It ended well: ${answer.line}`];
    case 'unknown':
      return [`Unknown: ${answer.because}.`];
    case 'found': {
      const { title, answer: advice, retry } = answer.failure;
      return [
        `This looks like: ${title}.`,
        `Do: ${[advice ?? '', RETRY_WORDS[retry]].join(' ').trim()}`,
        `Because of: ${answer.line}`,
        ...(answer.caveat === null ? [] : [answer.caveat]),
        ...(answer.entry === null ? [] : [`More: gotchas show ${answer.entry}`]),
      ];
    }
  }
}
