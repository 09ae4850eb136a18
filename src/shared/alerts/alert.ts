import type { Finding, Severity } from '../detectors/finding.ts';
import type { Money } from '../money.ts';

/** A stretch of time in which it was so. */
export interface AlertSpan {
  readonly fromMs: number;
  /** When it was last seen to be so. */
  readonly lastSeenMs: number;
  /** When it was seen, or said, to be over; null: it is not. Of the time since the last sight nobody knows. */
  readonly toMs: number | null;
}

export type AlertStage =
  | { readonly kind: 'open' }
  | { readonly kind: 'seen'; readonly atMs: number }
  | { readonly kind: 'snoozed'; readonly atMs: number; readonly untilMs: number }
  | {
      readonly kind: 'resolved';
      readonly atMs: number;
      /** Who said so: a check that looked and found it clear, or the person. Silence never does. */
      readonly by: 'check' | 'person';
      /** It was put off until then, and stays so should it come back before. */
      readonly snoozedUntilMs: number | null;
    };

/** What happened to an alert, oldest first. */
export type AlertStep =
  | {
      readonly kind: 'opened' | 'worse' | 'back';
      readonly atMs: number;
      readonly severity: Severity;
    }
  | { readonly kind: 'seen' | 'woken'; readonly atMs: number }
  | { readonly kind: 'snoozed'; readonly atMs: number; readonly untilMs: number }
  | { readonly kind: 'resolved'; readonly atMs: number; readonly by: 'check' | 'person' };

/** What it has cost while it was looked at: what it cost unseen is not guessed. */
export interface AlertCost {
  /** One for each currency. */
  readonly amounts: readonly Money[];
  readonly seenMs: number;
  /** Of that, how long something was lost whose price nobody knew. */
  readonly unpricedMs: number;
}

/** One finding followed over time, also over the end of Leasehold. */
export interface Alert {
  readonly id: string;
  /** As it was last seen; `sinceMs` is where the last span begins, `notSeenBecause` why nobody can say whether it is still so. */
  readonly finding: Finding;
  readonly stage: AlertStage;
  /** The worst that it ever was. */
  readonly worst: Severity;
  /** The worst that the person was told of since they last put it off; null: nothing. */
  readonly told: Severity | null;
  /** Never empty; only the last may be without an end. */
  readonly spans: readonly AlertSpan[];
  readonly cost: AlertCost;
  readonly steps: readonly AlertStep[];
}

/** What comes back so soon is the same alert, not a new one. */
export const REOPEN_WITHIN_MS = 15 * 60_000;
/** What goes on coming and going begins a new alert at last, so that no alert grows without end and no span is lost. */
export const MAX_SPANS = 50;
/** The oldest that are no spans go: what the person did to it. */
export const MAX_STEPS = 200;
/** Longer between two sights (the slowest patrol is quicker), and what it cost in between was not seen. */
export const COUNTED_GAP_MS = 20 * 60_000;
/** A snooze is no way to forget. */
export const MAX_SNOOZE_MS = 31 * 24 * 3_600_000;
