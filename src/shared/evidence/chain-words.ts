import type { ChainFault, EvidenceCheck } from './chain.ts';

const BECAUSE: Readonly<Record<ChainFault['because'], string>> = {
  gap: 'an entry is missing before it',
  'not-after-the-one-before': 'it does not hold the entry before it',
  changed: 'it was changed after it was written',
  'end-unknown':
    'whether there was one is not known, since how far the evidence had come cannot be read',
  empty:
    'whether there was one is not known. The note beside the database is about others that had entries, so this may be an older copy, from before the first one',
  'cut-off': 'the one that was written here is missing. This is an older copy of the database',
};

/** What is wrong with the record as a whole, in a sentence. Nobody is accused of changing one that is merely old, or cannot be read to its end. */
export function faultWords({ because }: ChainFault): string {
  switch (because) {
    case 'cut-off':
      return 'The database of the evidence is an older copy.';
    case 'empty':
      return 'The database of the evidence may be an older copy.';
    case 'end-unknown':
      return 'How far the evidence had come is not known.';
    default:
      return 'The evidence was changed behind Leasehold’s back.';
  }
}

/** Whether the record is what was written, in a sentence. */
export function checkWords({ count, fault }: EvidenceCheck): string {
  if (fault !== null) return `Entry ${String(fault.seq)}: ${BECAUSE[fault.because]}.`;
  return count === 1
    ? '1 entry as it was written.'
    : `${String(count)} entries, each as it was written.`;
}
