import type { FormatName } from '../loaded.ts';

const NUMBER_FORMATS = ['json', 'jsonl', 'yaml', 'csv', 'tsv', 'tfevents'] as const;
type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** Whether a file of this format may hold figures that a person reports, each under a key. */
export const hasNumbers = (format: FormatName): format is NumberFormat =>
  NUMBER_FORMATS.some((each) => each === format);
