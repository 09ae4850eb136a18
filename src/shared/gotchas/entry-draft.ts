import type { Plan } from '../plan/plan.ts';
import type { Severity } from '../detectors/finding.ts';
import type { Gotcha } from './gotcha.ts';

/** What a person saw needs no month: it is their word. */
export const OWN_SOURCE = 'own experience';

/** Leasehold gives its ids in this family, which the shipped catalog leaves free. */
export const OWN_FAMILY = 'OWN';

/** Of what a person saw this much goes into an entry. */
export const MAX_INCIDENT_CHARS = 2000;
/** What a draft is made from may be this long; only its end is read. */
export const MAX_CLUE_CHARS = 64 * 1024;
export const MAX_HEADLINE_CHARS = 500;

/** An entry of the person's own while they write it: Leasehold gives the id, and does nothing about it. */
export type EntryDraft = Omit<Gotcha, 'id' | 'alert' | 'coverage'>;

/** What was seen, as it came: hostile, and not without secrets yet. */
export interface Incident {
  /** Lines of a log, or an alert's clues. */
  readonly text: string;
  /** What the alert said; null: there was none. */
  readonly headline: string | null;
  /** Null: judged from the text. */
  readonly severity: Severity | null;
  /** Whose machine it was; null: not known. */
  readonly platform: string | null;
  /** What was seen beside it and no log said, as numbers and verdicts: kept with the entry, and no sign is made of it. */
  readonly beside: string;
  /** The entry that it was taken for; null: none. */
  readonly takenFor: string | null;
}

/** A log that somebody has, and nothing else. */
export function incidentOfLog(text: string, headline: string | null = null): Incident {
  return { text, headline, severity: null, platform: null, beside: '', takenFor: null };
}

/** What the form lacks, by its fields. */
export interface EntryFault {
  readonly field: string;
  readonly fix: string;
}

/** What would be written, whole and without secrets; nothing is written yet. */
export interface EntryPreview {
  readonly kind: 'ready';
  readonly id: string;
  readonly file: string;
  readonly yaml: string;
  readonly markdown: string;
  /** Stands for exactly this text: approving it names it. */
  readonly plan: Plan;
  /** The fields out of which something with the shape of a secret was taken. */
  readonly redacted: readonly string[];
}

export type PreviewAnswer =
  | EntryPreview
  | { readonly kind: 'incomplete'; readonly faults: readonly EntryFault[] };

/** An entry as text that can be taken elsewhere. */
export interface EntryExport {
  readonly markdown: string;
  readonly yaml: string;
  readonly redacted: readonly string[];
}
