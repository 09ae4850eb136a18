import { exportEvidence, receiptOf } from '../evidence/export-evidence.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openReadOnly } from '../storage/read-only.ts';
import type { Command } from './command.ts';

export const evidenceExport: Command = {
  name: 'evidence export',
  summary: 'prints the whole evidence as Markdown, or as JSON with --json',
  operands: [],
  flags: {
    receipt: { value: 'number', help: 'one page about this entry alone' },
  },
  details: [
    'With --json each entry is as it was hashed, so that the chain can be checked without Leasehold. Changes nothing.',
    'Exit code 1: an entry was changed or is missing, which the output says too, or the evidence cannot be read.',
  ],
  async run({ isJson, flags }, context) {
    const receipt = flags.get('receipt');
    const seq = Number(receipt);
    if (receipt !== undefined && (!Number.isSafeInteger(seq) || seq < 1)) {
      return { refused: '--receipt takes the number of an entry.' };
    }
    const opened = openReadOnly(dataFolder(context.env, context.platform));
    if (!opened.ok) return { refused: `${opened.error.message} ${opened.error.nextStep}` };
    const { evidence, close } = opened.value;
    try {
      const atMs = Date.now();
      const format = isJson ? 'json' : 'markdown';
      const made =
        receipt === undefined
          ? await exportEvidence(evidence, format, atMs)
          : await receiptOf(evidence, seq, { box: (boxId) => boxId, atMs, format });
      if (!made.ok) return { refused: `${made.error.message} ${made.error.nextStep}` };
      if (made.value === null) return { refused: `There is no entry ${String(seq)}.` };
      await context.out.lines(made.value.text.trimEnd().split('\n'));
      return made.value.check.fault === null ? 0 : 1;
    } finally {
      close();
    }
  },
};
