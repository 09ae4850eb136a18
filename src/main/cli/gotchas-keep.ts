import { belongsWhere } from '../../shared/gotchas/belongs.ts';
import type { EntryDraft, EntryPreview } from '../../shared/gotchas/entry-draft.ts';
import { readDraft } from '../gotchas/read-draft.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Command } from './command.ts';
import { gotchaBookFor } from './gotchas-common.ts';
import { readWhole } from './text-input.ts';

export const gotchasKeep: Command = {
  name: 'gotchas keep',
  summary: 'keeps a completed draft among your own entries, once you have seen it',
  operands: ['<file|->'],
  flags: { yes: { value: null, help: 'writes it; without this it is only shown' } },
  details: [
    'Takes what `gotchas draft` printed. It gets the next id of the family OWN and a file of its own in your folder.',
    'The shipped catalog is never changed. Exit code 1: something is missing, or it was not written.',
  ],
  async run({ operands: [file = ''], flags, isJson }, context) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const draft = readDraft(file === '-' ? 'standard input' : file, text.value);
    if (!draft.ok) {
      await context.err.lines(draft.error.map(faultSentence));
      return 1;
    }
    const book = gotchaBookFor(context);
    const preview = await book.preview(draft.value, null);
    if (!preview.ok) {
      await context.err.lines([preview.error.message, preview.error.nextStep]);
      return 1;
    }
    if (preview.value.kind === 'incomplete') {
      await context.err.lines(preview.value.faults.map(({ field, fix }) => `${field}: ${fix}`));
      return 1;
    }
    if (!flags.has('yes')) {
      const { plan, ...shown } = preview.value;
      if (isJson) await context.out.json({ ...shown, digest: plan.digest });
      else await context.out.lines(describe(draft.value, preview.value));
      return 0;
    }
    const kept = await book.keep(preview.value.plan);
    if (!kept.ok) {
      await context.err.lines([kept.error.message, kept.error.nextStep]);
      return 1;
    }
    if (isJson) await context.out.json({ id: kept.value, file: preview.value.file });
    else await context.out.lines([`${kept.value} is kept in ${preview.value.file}`]);
    return 0;
  },
};

function describe(
  { answers }: EntryDraft,
  { yaml, file, redacted }: EntryPreview,
): readonly string[] {
  return [
    ...yaml.trimEnd().split('\n'),
    '',
    ...(redacted.length === 0 ? [] : [`Taken out as a secret, in: ${redacted.join(', ')}.`]),
    ...(answers === null ? [] : [belongsWhere(answers).because]),
    `Nothing is written yet. With --yes this becomes ${file}`,
  ];
}
