import {
  incidentOfLog,
  MAX_CLUE_CHARS,
  MAX_HEADLINE_CHARS,
} from '../../shared/gotchas/entry-draft.ts';
import { QUESTIONS } from '../../shared/gotchas/belongs.ts';
import { endOfText } from '../../shared/gotchas/log-text.ts';
import { draftText } from '../gotchas/entry-yaml.ts';
import type { Command } from './command.ts';
import { gotchaBookFor } from './gotchas-common.ts';
import { readWhole } from './text-input.ts';

export const gotchasDraft: Command = {
  name: 'gotchas draft',
  summary: 'drafts an entry of your own from the end of a log: symptom, signs, what is near it',
  operands: ['<file|->'],
  flags: { saw: { value: 'text', help: 'what you saw, in one sentence' } },
  details: [
    'Prints YAML to complete: the cause is yours to say, and three questions are yours to answer. Then keep it:',
    'leasehold gotchas draft train.log > new.yaml && leasehold gotchas keep new.yaml',
    'What has the shape of a secret is taken out. Nothing is written.',
  ],
  async run({ operands: [file = ''], flags, isJson }, context) {
    const headline = flags.get('saw') ?? null;
    if (headline !== null && headline.length > MAX_HEADLINE_CHARS) {
      return { refused: `--saw takes at most ${String(MAX_HEADLINE_CHARS)} characters.` };
    }
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    if (text.value.trim() === '') return { refused: 'there is no text to draft an entry from.' };
    const draft = await gotchaBookFor(context).draft(
      incidentOfLog(endOfText(text.value, MAX_CLUE_CHARS), headline),
    );
    if (isJson) {
      await context.out.json(draft);
      return 0;
    }
    const { rootCaused, reproduced, general } = QUESTIONS;
    await context.out.lines([
      '# Complete what is empty, then: leasehold gotchas keep <this file>',
      '# Three questions, under "answers":',
      `#   rootCaused: ${rootCaused.asks} ${rootCaused.hint} yes or no`,
      `#   reproduced: ${reproduced.asks} ${reproduced.hint} yes, mechanism or no`,
      `#   general: ${general.asks} ${general.hint} yes or no`,
      ...draftText(draft).trimEnd().split('\n'),
    ]);
    return 0;
  },
};
