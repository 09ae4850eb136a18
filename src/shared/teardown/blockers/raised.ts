import type { Blocker } from '../inspection.ts';

/** A blocker before anybody asks whether a person has accepted it. Without a verb it stands in the way of all of them. */
export type Raised = Omit<Blocker, 'accepted' | 'verb'> & { readonly verb?: string };

/** As many as a person reads; the sentence has the whole number. */
export const MOST_SHOWN = 20;

export const countOf = (count: number, one = 'file'): string =>
  `${String(count)} ${one}${count === 1 ? '' : 's'}`;
