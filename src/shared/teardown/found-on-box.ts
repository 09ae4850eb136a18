import type { ProvenResults } from '../files/judge-delete.ts';
import type { Profile } from '../profiles/profile.ts';
import type { OtherResult, ResultFile } from '../runs/launch/launched-run.ts';
import type { OrderOnBox } from './read-orders.ts';
import type { ProviderSaid } from './provider-said.ts';
import type { SweepGroup } from '../runs/sweep/judge-sweep.ts';

/** A folder with results of a run, listed now. */
export interface FoundResults {
  readonly runId: string;
  readonly runName: string;
  readonly path: string;
  readonly listed: readonly ResultFile[];
  /** What lies among them and is neither file nor folder. */
  readonly others: readonly OtherResult[];
  /** Null: they were never brought home. */
  readonly proven: ProvenResults | null;
}

/** Where a run was to save, and nothing is. */
export interface AbsentResults {
  readonly runId: string;
  readonly runName: string;
  /** As the run has it. */
  readonly path: string;
  /** Null: a run that is not over is in the way itself. */
  readonly missed: MissedBecause | null;
  /** Null: nothing of it was ever brought home. */
  readonly proven: ProvenResults | null;
}

/**
 * Why something should be there: the run has succeeded, it was cut off or nobody knows how it ended, it failed or was ended and may have saved until
 * then, a person wants it home, or it was there.
 */
export type MissedBecause = 'done' | 'lost' | 'unfinished' | 'wanted' | 'pulled';

export interface MissingRun {
  readonly id: string;
  /** Null: nothing of it was ever brought home, which would tell. */
  readonly name: string | null;
}

/** A process that looks like a run and that Leasehold did not launch. */
export interface FoundProcess {
  /** Its boot, its number and its start together. */
  readonly key: string;
  readonly pid: number;
  readonly command: string;
  readonly holdsGpu: boolean;
}

export interface UnknownProcesses {
  readonly because: string;
  /** The box answered, and does not tell: asking again may bring nothing. False: it did not answer. */
  readonly isAnswer: boolean;
}

/** What one look at a box brought. */
export interface FoundOnBox {
  readonly atMs: number;
  readonly runs: readonly {
    readonly id: string;
    readonly name: string;
    readonly isOver: boolean;
    /** Why its folder cannot be read, as its end of a sentence; absent: it can be. Hostile. */
    readonly unreadable?: string;
    /** The machine that launched it, which has this home: only that one knows whether it still runs. */
    readonly elsewhere?: string;
    /** Where it worked, and what it left, its folder does not tell. */
    readonly isUnplaced?: true;
  }[];
  /** Runs that it told of once, and does not any more. */
  readonly missing: readonly MissingRun[];
  readonly results: readonly FoundResults[];
  readonly absent: readonly AbsentResults[];
  /** Those of which it told. */
  readonly processes: readonly FoundProcess[];
  /** Why not all of its processes are known; null: they are. */
  readonly processesUnknown: UnknownProcesses | null;
  readonly machine: FoundMachine;
  /** Those that have cells left to run. */
  readonly queues: readonly FoundQueue[];
  /** Those that runs of the box are part of. */
  readonly sweeps: readonly FoundSweep[];
  readonly outside: FoundOutside;
  /** To end it, from another computer or for another box of the list. */
  readonly orders: readonly FoundOrder[];
  /** Null: its platform is not known, and no verb of it either. */
  readonly profile: EndFacts | null;
}

/** An order to end the machine that is none of this box here. */
export interface FoundOrder extends OrderOnBox {
  /** The box itself has it; false: the evidence here alone, as where it could not be written there. */
  readonly isNoted: boolean;
  /** The box of the evidence here that it was given for; null: the evidence knows nothing of it. */
  readonly ofBox: string | null;
  /** What its provider says of the box since; null: none is linked. */
  readonly said: ProviderSaid | null;
}

/** What tells the machine at the address of a box from another, and its life from the next. Null: it does not tell. */
export interface FoundMachine {
  /** The fingerprint of the host key that is trusted. */
  readonly hostKey: string | null;
  /** Another one after a restart, also of a container. */
  readonly life: string | null;
  /** As its provider names it, which is what an order would be about. */
  readonly instance: string | null;
}

/** Whether both are one machine: by what its provider calls it, or where that is not known of both, by its key in the same life. */
export function isSameMachine(one: FoundMachine, other: FoundMachine): boolean {
  if (one.instance !== null && other.instance !== null) return one.instance === other.instance;
  const isKnown = one.hostKey !== null && one.life !== null;
  return isKnown && one.hostKey === other.hostKey && one.life === other.life;
}

/** One life of one machine: a provider that is linked later makes no other of it. */
export const lifeOf = ({ hostKey, life }: FoundMachine): readonly (string | null)[] => [
  hostKey,
  life,
];

/** A queue of which not all is done. */
export interface FoundQueue {
  readonly id: string;
  readonly name: string;
  readonly isPaused: boolean;
  readonly isStopping: boolean;
  /** The names of the cells that have not run to their end. Hostile. */
  readonly cells: readonly string[];
}

/** A sweep that has cells on this box, held against its roster over all its boxes. */
export interface FoundSweep {
  readonly id: string;
  readonly name: string;
  readonly cells: number;
  /** How many cells stand so, without those that are done and have left something. */
  readonly open: readonly (readonly [SweepGroup, number])[];
  /** Which they are, by their places in the roster. */
  readonly which: readonly (readonly [number, SweepGroup])[];
  /** Its other boxes with cells that are done, of whose results no pull has brought any home. */
  readonly away: readonly { readonly boxName: string; readonly cells: number }[];
  /** Why it could not be held against its roster; null: it was. */
  readonly because: string | null;
}

/** A file that is no result which Leasehold knows of, and is large or looks like curves. */
export interface OutsideFile {
  /** Whole. Hostile. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** The storage tier of the platform that it lies on, by its name; null: that is not known. */
  readonly tier: string | null;
}

/** What was found besides the results, and where it was looked for. */
export interface FoundOutside {
  readonly looked: readonly string[];
  readonly files: readonly OutsideFile[];
  /** What `wandb sync` lays beside a run that it has sent. */
  readonly sent: readonly string[];
  /** There are more than one look tells. */
  readonly isCut: boolean;
  /** Why not all of these folders were looked through; null: they were. */
  readonly unread: string | null;
  /** What other boxes of the list keep on storage that this one has in common with them. */
  readonly others: readonly OthersData[];
}

export interface OthersData {
  readonly boxName: string;
  /** Null: it is not known which. */
  readonly tier: string | null;
  /** Null: that box was not seen since Leasehold was started, and whether it keeps anything there is not known. */
  readonly path: string | null;
}

/** What a profile says of how a box ends and of what it goes on costing. */
export type EndFacts = Pick<Profile, 'actions' | 'storage' | 'clocks'>;

/** These alone, of a profile that says more. */
export const endFacts = (profile: EndFacts | null): EndFacts | null =>
  profile && { actions: profile.actions, storage: profile.storage, clocks: profile.clocks };
