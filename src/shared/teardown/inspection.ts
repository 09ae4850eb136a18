import type { ResultFile } from '../runs/launch/launched-run.ts';
import type { ProvenResults } from '../files/judge-delete.ts';

/** What the gate knows of a box after one look at it. Nothing in it is older than that look. */
export interface Inspection {
  readonly atMs: number;
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

/** The steps of a teardown that come before a yes; each blocker belongs to one. */
export const gateStages = ['inventory', 'pulled', 'proven'] as const;
export type GateStage = (typeof gateStages)[number];

export const blockerKinds = [
  'not-looked',
  'run-alive',
  'process-alive',
  'processes-unknown',
  'elsewhere',
  'never-pulled',
  'not-home',
  'damaged',
  'copies-unread',
  'copies-gone',
  'evidence-broken',
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

/** A folder with results of a run, listed now. */
export interface FoundResults {
  readonly runId: string;
  readonly runName: string;
  readonly path: string;
  readonly listed: readonly ResultFile[];
  /** What lies among them and is neither file nor folder. */
  readonly others: readonly ResultFile[];
  /** Null: they were never brought home. */
  readonly proven: ProvenResults | null;
}

/** Where a run was to save, and nothing is. */
export interface AbsentResults {
  readonly runName: string;
  /** As the run has it. */
  readonly path: string;
}

/** A process that looks like a run and that Leasehold did not launch. */
export interface FoundProcess {
  /** Its boot, its number and its start together. */
  readonly key: string;
  readonly pid: number;
  readonly command: string;
  readonly holdsGpu: boolean;
}

/** What one look at a box brought. */
export interface FoundOnBox {
  readonly atMs: number;
  readonly runs: readonly {
    readonly id: string;
    readonly name: string;
    readonly isOver: boolean;
  }[];
  readonly results: readonly FoundResults[];
  readonly absent: readonly AbsentResults[];
  /** Those of which it told. */
  readonly processes: readonly FoundProcess[];
  /** Why not all of its processes are known; null: they are. */
  readonly processesUnknown: string | null;
}

/** The copies on this computer, read again byte by byte. */
export interface CopiesRead {
  readonly atMs: number;
  /** The same by the count that nobody sets, which stands still on some systems while this computer sleeps. */
  readonly monoMs: number;
  /** The same digest as `Inspection.copies`. */
  readonly copies: string;
  /** What told the version of each from the next when the reading began. */
  readonly stamps: string;
  /** Those that are not what was proven, a sentence each. */
  readonly faults: readonly string[];
}

export const openBlockers = ({ blockers }: Pick<Inspection, 'blockers'>): readonly Blocker[] =>
  blockers.filter(({ accepted }) => accepted === null);
