import { checkWords } from '../../shared/evidence/chain-words.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openReadOnly } from '../storage/read-only.ts';
import type { Command } from './command.ts';

export const evidenceCheck: Command = {
  name: 'evidence check',
  summary: 'whether every entry of the evidence is what was written',
  operands: [],
  flags: {},
  details: [
    'Each entry holds the hash of the one before it, so that none can be changed or taken out without being found. Changes nothing.',
    'Entries that were cut off at the end leave no trace in the record itself: compare its number of entries with an export.',
    'Exit code 1: an entry was changed or is missing, or the evidence cannot be read.',
  ],
  async run({ isJson }, context) {
    const opened = openReadOnly(dataFolder(context.env, context.platform));
    if (!opened.ok) return { refused: `${opened.error.message} ${opened.error.nextStep}` };
    const { evidence, close } = opened.value;
    try {
      const checked = await evidence.check();
      if (!checked.ok) return { refused: `${checked.error.message} ${checked.error.nextStep}` };
      const { count, fault } = checked.value;
      if (isJson) await context.out.json({ count, fault });
      else await context.out.line(checkWords(checked.value));
      return fault === null ? 0 : 1;
    } finally {
      close();
    }
  },
};
