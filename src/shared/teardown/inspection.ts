import type { FoundMachine } from './found-on-box.ts';

/** What the gate knows of a box after one look at it. Nothing in it is older than that look. */
export interface Inspection {
  readonly atMs: number;
  /** The machine that was looked at; null: none could be. */
  readonly machine: FoundMachine | null;
  readonly runs: readonly InspectedRun[];
  readonly blockers: readonly Blocker[];
  /** What goes with the box although nothing is wrong with it: a person has said why, or it is no result. */
  readonly left: readonly LeftBehind[];
  /** Of the copies on this computer that the answer rests on, by place and hash. */
  readonly copies: string;
  /** When they were read last; null: there are none, or nobody has read them. */
  readonly copiesReadAtMs: number | null;
  /** Of all that a yes rests on. Whatever changes makes another one, and an approval dies with it. */
  readonly digest: string;
}

/** The results of one run, as they lie on the box now and here. */
export interface InspectedRun {
  readonly runId: string;
  readonly runName: string;
  /** On the box. */
  readonly path: string;
  /** On this computer; null: they were never brought home. */
  readonly to: string | null;
  readonly files: number;
  readonly bytes: number;
  /** Of these, what is proven to be here. */
  readonly homeFiles: number;
  readonly homeBytes: number;
  /** The entry of the evidence that proved it; null: none did. */
  readonly evidence: number | null;
  /** Of files that the box has no more, the copies that are proven to be here. Absent: it has all that it had. */
  readonly away?: { readonly files: number; readonly bytes: number };
}

/** Files of one run that stay on the box for one reason. */
export interface LeftBehind {
  readonly runName: string;
  /** The folder with its results. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** Why, in the words of who left them. */
  readonly because: string;
  /** The first of them. Hostile. */
  readonly shows: readonly string[];
}

/** The steps of a teardown that come before a yes; each blocker belongs to one. `effect`: it is about what one verb does. */
export const gateStages = ['inventory', 'pulled', 'proven', 'effect'] as const;
export type GateStage = (typeof gateStages)[number];

export const blockerKinds = [
  'not-looked',
  'ordered-elsewhere',
  'run-alive',
  'run-unreadable',
  'run-unplaced',
  'run-missing',
  'queue-waiting',
  'sweep-open',
  'process-alive',
  'processes-unknown',
  'tracker-log',
  'elsewhere',
  'never-pulled',
  'not-there',
  'not-home',
  'link-out',
  'damaged',
  'proof-below',
  'copies-unread',
  'copies-gone',
  'other-machine',
  'evidence-broken',
  'tier-goes',
  'others-data',
  'bills-on',
] as const;
export type BlockerKind = (typeof blockerKinds)[number];

/** Why the gate is not open, in words, with what shows it and what to do about it. */
export interface Blocker {
  /** Its kind and what it is about. */
  readonly id: string;
  readonly kind: BlockerKind;
  readonly stage: GateStage;
  readonly says: string;
  /** What shows it, a line each, bounded. Hostile: names of the box are in it. */
  readonly shows: readonly string[];
  /** The entry of the catalog that tells of such losses; null: none does. */
  readonly entry: string | null;
  /** Of what exactly would be lost; another loss has another. Null: nobody can accept this, since nobody knows what it is. */
  readonly loss: string | null;
  /** It stands in the way of this verb of the platform alone; null: of all. */
  readonly verb: string | null;
  /** A person accepts to lose just that; null: nobody does. */
  readonly accepted: AcceptedLoss | null;
}

export interface AcceptedLoss {
  readonly atMs: number;
  readonly because: string;
}

/** A loss that a person has accepted, as the evidence keeps it. */
export interface KeptLoss extends AcceptedLoss {
  /** Of the blocker, and of what was lost then. */
  readonly id: string;
  readonly loss: string;
  /** What was shown. */
  readonly says: string;
}

/** The copies on this computer, read again byte by byte. */
export interface CopiesRead {
  readonly atMs: number;
  /** The same by the count that nobody sets, which stands still on some systems while this computer sleeps. */
  readonly monoMs: number;
  /** The machine that had the results then. */
  readonly machine: FoundMachine;
  /** The same digest as `Inspection.copies`. */
  readonly copies: string;
  /** What told the version of each from the next when the reading began. */
  readonly stamps: string;
  /** Those that are not what was proven, a sentence each. */
  readonly faults: readonly string[];
}

/** What is in the way of this verb; null: what is in the way of all of them. */
export const openBlockers = (
  { blockers }: Pick<Inspection, 'blockers'>,
  verb: string | null = null,
): readonly Blocker[] =>
  blockers.filter((each) => each.accepted === null && (each.verb === null || each.verb === verb));
