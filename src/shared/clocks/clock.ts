import type { Money } from '../money.ts';
import type { TimerStart, SetTime } from '../profiles/profile.ts';
import type { Freshness } from '../profiles/freshness.ts';
import type { Phase } from '../meter/interval.ts';
import { NO_WALLTIMES, type Walltimes } from './walltimes.ts';

/** How somebody comes to know when a clock runs out. */
export type Known =
  | { readonly kind: 'measured' }
  | {
      readonly kind: 'platform';
      readonly verified: string | null;
      readonly source: string;
      readonly freshness: Freshness;
    }
  | { readonly kind: 'told' }
  /** Of the demo box: invented. */
  | { readonly kind: 'simulated' }
  | { readonly kind: 'estimated'; readonly because: string };

/** When. Everything else than `at` has no countdown, and says why. */
export type Due =
  | { readonly kind: 'at'; readonly atMs: number; readonly isEstimate: boolean }
  /** No end: it counts up. `sinceMs`: null where it is not known since when. */
  | { readonly kind: 'stopwatch'; readonly sinceMs: number | null }
  /** A person approved an end of the box, and nothing confirms it: what it costs goes on. `remindsAtMs` null: nobody reminds of it here. */
  | { readonly kind: 'unconfirmed'; readonly sinceMs: number; readonly remindsAtMs: number | null }
  /** Nothing ends, but this is billed. */
  | { readonly kind: 'costing'; readonly sinceMs: number | null }
  /** Without warning; so long between the signal and the end. Null: not known. */
  | { readonly kind: 'any-time'; readonly graceMs: number | null }
  /** Does not run now; `until` says what would start it. */
  | { readonly kind: 'dormant'; readonly until: string }
  /** May be running: this must be told or measured first. */
  | { readonly kind: 'unknown'; readonly because: string }
  /** A fact without a time. */
  | { readonly kind: 'uncounted' };

/** Something that will happen to the box at a known or estimated time. */
export interface Clock {
  /** Of the profile's clock, or "yours.…". */
  readonly id: string;
  readonly danger: 'data' | 'run' | 'money' | 'none';
  /** What happens, in a few words: its name wherever it stands. */
  readonly event: string;
  readonly trigger: string;
  readonly consequence: string;
  /** The tiers whose data is gone then. */
  readonly loses: readonly LostTier[];
  readonly due: Due;
  readonly known: Known;
  readonly readAt: string;
  /** Null: the sources do not say. */
  readonly stops: string | null;
  /** What the person can say about it; null: nothing that would change it. */
  readonly entry: EntryKey | null;
}

/** Which of the person's entries moves a clock. */
export type EntryKey =
  | { readonly kind: 'time'; readonly what: SetTime }
  | { readonly kind: 'start'; readonly from: TimerStart }
  | { readonly kind: 'warning' }
  | { readonly kind: 'balance' }
  | { readonly kind: 'spot' }
  | { readonly kind: 'quota'; readonly forMs: number }
  | { readonly kind: 'prepaid' }
  | { readonly kind: 'deadline'; readonly id: string };

export interface LostTier {
  readonly name: string;
  readonly path: string | null;
}

/** What is known of the box itself; null where it is not. */
export interface BoxSituation {
  readonly phase: Phase | null;
  readonly phaseSinceMs: number | null;
  /** When the box, or the container that it is, began to run. */
  readonly startedAtMs: number | null;
  /** `null`: whether it works is not known. */
  readonly idle: { readonly isIdle: boolean; readonly sinceMs: number } | null;
  readonly walltimes: Walltimes;
}

export const NOTHING_KNOWN: BoxSituation = {
  phase: null,
  phaseSinceMs: null,
  startedAtMs: null,
  idle: null,
  walltimes: NO_WALLTIMES,
};

/** What the person said about the times of one box. */
export interface ClockEntries {
  readonly isSpot: boolean | null;
  /** Starts of timers that only they can see. */
  readonly starts: Readonly<Partial<Record<TimerStart, number>>>;
  /** When they said each of them, as main noted it. One that is left out of a change is said anew. */
  readonly startsSaidAtMs: Readonly<Partial<Record<TimerStart, number>>>;
  readonly times: Readonly<Partial<Record<SetTime, number>>>;
  /** Seconds before the walltime at which the scheduler was asked to warn. */
  readonly warningLeadMs: number | null;
  readonly prepaidUntilMs: number | null;
  readonly deadlines: readonly {
    readonly id: string;
    readonly what: string;
    readonly atMs: number;
  }[];
  readonly quotaUsed: { readonly ms: number; readonly asOfMs: number } | null;
  /** What they did outside to move an end, the newest last. */
  readonly extensions: readonly Extension[];
}

/** The person moved a clock at the platform, and said so here. */
export interface Extension {
  readonly clockId: string;
  /** Which moment they entered: the end itself, or when the timer began again. */
  readonly moved: 'end' | 'start';
  /** When they said so. */
  readonly saidAtMs: number;
  /** Null: it was not known before. */
  readonly fromMs: number | null;
  readonly toMs: number;
}

/** The oldest go: a record to look up, not one to prove anything with. */
export const MAX_EXTENSIONS = 50;

export const NOTHING_TOLD: ClockEntries = {
  isSpot: null,
  starts: {},
  startsSaidAtMs: {},
  times: {},
  warningLeadMs: null,
  prepaidUntilMs: null,
  deadlines: [],
  quotaUsed: null,
  extensions: [],
};

/** The account on the platform that all its boxes are paid from. */
export interface AccountState {
  /** What the person read on the platform's page, and when. */
  readonly balance: Money;
  readonly asOfMs: number;
  /** Since then, by the ledger, unresolved time included: rather warned too early. */
  readonly spentMicros: number;
  /** Of all its boxes, in the balance's currency; null: not known, or something is billed in another currency. */
  readonly burnMicrosPerHour: number | null;
}
