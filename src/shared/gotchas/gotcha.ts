import type { Severity } from '../detectors/finding.ts';
import type { FileFault } from '../yaml/file-fault.ts';

/** What Leasehold is to do about it: notice, prevent, check before a launch, find the cause, hold a teardown, or teach. */
export const gotchaRoles = [
  'detector',
  'guard',
  'preflight',
  'diagnosis',
  'teardown',
  'advice',
] as const;
export type GotchaRole = (typeof gotchaRoles)[number];

/** Where it can happen: anywhere, on any rented machine, or on one platform. */
export const gotchaScopes = [
  'universal',
  'generic-ssh',
  'slurm',
  'kubernetes',
  'notebook',
  'multinode',
  'autodl',
  'runpod',
  'vastai',
  'lambda',
  'paperspace',
  'china',
] as const;
export type GotchaScope = (typeof gotchaScopes)[number];

export const gotchaThemes = [
  'process',
  'scheduler',
  'monitoring',
  'gpu',
  'memory',
  'dataloader',
  'disk',
  'transfer',
  'cost',
  'env',
  'secrets',
  'network',
  'spot',
] as const;
export type GotchaTheme = (typeof gotchaThemes)[number];

/** What Leasehold cannot do yet, and what therefore waits for it. */
export const capabilities = ['schedulers', 'provider links', 'multi-node'] as const;
export type Capability = (typeof capabilities)[number];

/** Where advice is shown. Facts: that tab of each box on the platform of the entry. */
export const advicePlaces = ['Handbook', 'Facts'] as const;
export type AdvicePlace = (typeof advicePlaces)[number];

/** A read-only command on the box, or `log`, `local`, `api`; and the condition in its answer that signals the gotcha. */
export interface GotchaProbe {
  readonly probe: string;
  readonly means: string;
}

/**
 * What an alert says of this entry. A name in braces stands for what the rule saw, or for one of the phrases;
 * `src/shared/detectors/says.ts` has the names of each.
 */
export interface AlertTexts {
  /** Where there is no room for a headline. */
  readonly short: string;
  /** Commands that only read, to see on the box what the rule saw. None where a second look would do harm, as beside an nvidia-smi that hangs. */
  readonly commands: readonly string[];
  /** By the name of what the rule saw. */
  readonly says: Readonly<Record<string, AlertVariant>>;
  /** Parts of sentences, and caveats. */
  readonly phrases: Readonly<Record<string, string>>;
}

export interface AlertVariant {
  /** Null: that of the entry. */
  readonly short: string | null;
  readonly headline: string;
  /** Null: the entry's cause. */
  readonly means: string | null;
  /** Null: all steps of the entry. */
  readonly fix: readonly AlertStep[] | null;
}

/** A step of the entry by its number, from 1 on, one of another entry, or one in words. */
export type AlertStep = number | string | { readonly of: string; readonly step: number };

/** Something that Leasehold does about it today, with the code that does it and the test that shows it. */
export interface Deed {
  readonly does: string;
  readonly module: string;
  readonly test: string;
}

export interface OwnCoverage {
  readonly done: readonly Deed[];
  readonly shown: readonly AdvicePlace[];
  /** What is left to do, and what that waits for. */
  readonly planned: readonly Capability[];
  /** Why no more can be done about it, in a sentence; absent: nothing is in the way. */
  readonly beyond?: string | undefined;
}

/** The same gotcha as others, seen from another side: what is done about those is done about it. */
export interface SharedCoverage {
  readonly sameAs: readonly string[];
}

export type Coverage = OwnCoverage | SharedCoverage;

/** What a person answered about an entry of their own before it was kept; see `belongs.ts`. */
export interface EntryAnswers {
  /** The cause is known, and not guessed. */
  readonly rootCaused: 'yes' | 'no';
  /** `mechanism`: it did not happen twice, but it is understood why it must happen. */
  readonly reproduced: 'yes' | 'mechanism' | 'no';
  /** It can happen to others, and not only on this box or in this project. */
  readonly general: 'yes' | 'no';
}

/** One way in which a run on a rented GPU dies, lies or burns money. */
export interface Gotcha {
  readonly id: string;
  readonly title: string;
  readonly scope: GotchaScope;
  readonly theme: GotchaTheme;
  readonly severity: Severity;
  readonly role: GotchaRole;
  readonly symptom: string;
  readonly cause: string;
  /** What to do, in this order. */
  readonly fix: readonly string[];
  /** Null: no rule looks for it. */
  readonly alert: AlertTexts | null;
  /** What to look at, to tell whether this is it. */
  readonly probes: readonly GotchaProbe[];
  /** Other words by which people look for it; only the search reads them. */
  readonly asked?: string | undefined;
  /** What a log says when it happens; see `sign.ts`. */
  readonly signs: readonly string[];
  readonly related: readonly string[];
  /** A caveat about the fact itself. */
  readonly doubt: string | null;
  /** What Leasehold is to do about it. */
  readonly duty: string | null;
  /** The month in which its source was last looked at, as YYYY-MM; null: true of any rented machine. */
  readonly verified: string | null;
  readonly source: string;
  /** Null: a shipped entry, or one that was written by hand. */
  readonly answers: EntryAnswers | null;
  /** What the log or the alert said when a person first saw it, without secrets. */
  readonly incident: string | null;
  /** Null: the person's own entry, about which nothing is done. */
  readonly coverage: Coverage | null;
}

/** Where an entry of the person's own stands. */
export interface OwnFile {
  readonly file: string;
  readonly line: number;
  /** What the file held when it was read, for Leasehold to change only that; null: it is the person's to edit. */
  readonly digest: string | null;
}

export interface LoadedGotcha {
  readonly gotcha: Gotcha;
  /** `replaced`: shipped, with the person's own entry in its place. */
  readonly origin: 'shipped' | 'replaced' | 'own';
  /** Null: shipped. */
  readonly own: OwnFile | null;
}

export interface Gotchas {
  /** Where the person's own entries lie. */
  readonly ownFolder: string;
  /** In the order of their ids. */
  readonly all: readonly LoadedGotcha[];
  /** Files that are not used, and why. What they were meant to change is as it was shipped. */
  readonly faults: readonly FileFault[];
}
