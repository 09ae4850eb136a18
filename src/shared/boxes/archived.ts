import type { Box } from './box.ts';

/** It is kept for what it was: nobody connects to it, and it is in no list and no sum of the living. */
export const isArchived = ({ archivedAtMs }: Pick<Box, 'archivedAtMs'>): boolean =>
  archivedAtMs !== undefined;

/** Whether a box is gone, by what is on record: since then; null: it is not; `unsaid`: the record does not tell, so it stays where it is. */
export type EndOnRecord = number | null | 'unsaid';
