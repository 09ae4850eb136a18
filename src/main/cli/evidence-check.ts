import { checkWords } from '../../shared/evidence/chain-words.ts';
import { dataFolder } from '../storage/data-folder.ts';
import type { NotedHead } from '../storage/evidence-head.ts';
import { openReadOnly } from '../storage/read-only.ts';
import { readFile, stat } from 'node:fs/promises';
import { checkReceipt } from '../evidence/receipt-file.ts';
import type { Command, CommandContext, ExitCode, Refused } from './command.ts';
import { printable } from './printable.ts';
import { counted } from './table.ts';

export const evidenceCheck: Command = {
  name: 'evidence check',
  summary: 'whether every entry of the evidence is what was written',
  operands: [],
  flags: {
    receipt: { value: 'file', help: 'a receipt in JSON instead, and the copies that it tells of' },
    folder: {
      value: 'folder',
      help: 'with --receipt: where the copies lie now: the folder that has all of theirs in it',
    },
  },
  details: [
    'Each entry holds the hash of the one before it, so that none can be changed or taken out without being found. Changes nothing.',
    'How far it had come is noted beside the database, so that an older copy of the database is found. Where that note went with it, compare the number of entries with an export.',
    'With --receipt no record is needed: the hash of each entry in the file, and every copy byte by byte.',
    'Exit code 1: an entry was changed or is missing, or the evidence cannot be read.',
  ],
  async run({ isJson, flags }, context) {
    const receipt = flags.get('receipt');
    const folder = flags.get('folder') ?? null;
    if (receipt !== undefined) return checkReceiptFile(receipt, folder, { isJson, context });
    if (folder !== null) return { refused: '--folder goes with --receipt.' };
    const opened = openReadOnly(dataFolder(context.env, context.platform));
    if (!opened.ok) return { refused: `${opened.error.message} ${opened.error.nextStep}` };
    const { evidence, close } = opened.value;
    try {
      const checked = await evidence.check();
      if (!checked.ok) return { refused: `${checked.error.message} ${checked.error.nextStep}` };
      const { count, fault } = checked.value;
      const noted = evidence.noted();
      if (!noted.ok) return { refused: `${noted.error.message} ${noted.error.nextStep}` };
      const { own } = noted.value;
      if (isJson) await context.out.json({ count, fault, noted: own?.seq ?? null });
      else {
        await context.out.line(checkWords(checked.value));
        if (own === null && count > 0) await context.out.line(unnotedWords(noted.value));
      }
      return fault === null ? 0 : 1;
    } finally {
      close();
    }
  },
};

const unnotedWords = ({ hasOthers }: NotedHead): string =>
  hasOthers
    ? 'The note beside the database is about other databases, so an older copy of this one would not be found.'
    : 'Nothing beside the database says how far it had come, so an older copy of it would not be found.';

const UNSEALED =
  'It has no seal, as an older Leasehold wrote it: nothing that it says beside its entries is proven.';

const MAX_RECEIPT_BYTES = 256 * 1024 * 1024;

async function checkReceiptFile(
  file: string,
  folder: string | null,
  { isJson, context }: { readonly isJson: boolean; readonly context: CommandContext },
): Promise<ExitCode | Refused> {
  const text = await readFileOf(file);
  if (text === null) return { refused: `${file} cannot be read, or is no receipt.` };
  const checked = await checkReceipt(text, folder);
  if (!checked.ok) return { refused: `${file}: ${checked.error}` };
  const { isSealed, entries, files, faults } = checked.value;
  if (isJson) await context.out.json({ isSealed, entries, files, faults });
  else {
    await context.out.lines(faults.map(printable));
    const what = `${entries === 1 ? '1 entry' : `${String(entries)} entries`}, ${counted(files, 'copied file')}`;
    await context.out.line(
      faults.length === 0
        ? `${what}: as they were.`
        : `${what}: ${String(faults.length)} not as they were.`,
    );
    if (!isSealed) await context.out.line(UNSEALED);
  }
  return faults.length === 0 ? 0 : 1;
}

async function readFileOf(file: string): Promise<string | null> {
  try {
    const { size } = await stat(file);
    return size > MAX_RECEIPT_BYTES ? null : await readFile(file, 'utf8');
  } catch {
    return null;
  }
}
