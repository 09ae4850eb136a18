import type { Rate } from './rate.ts';

/** What the platform bills a box for at a time. */
export const phases = ['running', 'stopped', 'destroyed'] as const;
export type Phase = (typeof phases)[number];

/** Where it is known from that the box was in this phase. */
export type Source =
  /** The box answered all the while. */
  | 'observed'
  /** Follows from what the box said later (it has been up since), or from what the person said. */
  | 'inferred'
  /** Typed by the person. */
  | 'manual'
  /** Billed for all that is known, and nobody can tell: the link was down, Leasehold was closed. Counted apart, as "at most". */
  | 'unresolved';

export type ChargeKind = 'compute' | 'storage' | 'other';

/** One line of what a box costs while it is in a phase. */
export interface Charge {
  readonly kind: ChargeKind;
  /** "GPU time", the name of a storage tier, "static address" … */
  readonly what: string;
  /** Null: it costs, and the price is not known. */
  readonly rate: Rate | null;
}

/** A stretch of a box's time that was billed one way: one line of the ledger. */
export interface Interval {
  /** Counts up within the box. */
  readonly no: number;
  /** By this machine's clock, for the calendar. */
  readonly fromMs: number;
  /** How long it lasted, measured where possible by a clock that nobody sets. Costs come from this, not from dates. */
  readonly ms: number;
  readonly phase: Phase;
  readonly source: Source;
  readonly charges: readonly Charge[];
  /** Of an observed line: which life of the box it was, and how long that had lasted when the line began. */
  readonly life: BoxLife | null;
}

/** From one start of the box, or of the container that it is, to its end. Counted by the box, which needs no right date for it. */
export interface BoxLife {
  /** Of the boot and of its first process; null: not told. */
  readonly id: string | null;
  readonly upForMs: number;
}

/** Something that is billed by amount: bytes out of the datacenter. */
export interface Transfer {
  readonly no: number;
  readonly atMs: number;
  readonly what: string;
  readonly bytes: number;
  /** Null: not known; of measured bytes, nobody says that they cost anything. */
  readonly rate: Rate | null;
  readonly source: TransferSource;
}

export const transferSources = [
  /** Typed by the person. */
  'manual',
  /** Came over Leasehold's own connections to the box; what other programs moved is not in it. */
  'measured',
] as const;
export type TransferSource = (typeof transferSources)[number];

/** Takes an interval out of all sums. The interval stays, and so does why. */
export interface Correction {
  readonly no: number;
  readonly voids: number;
  readonly atMs: number;
  /** `box`: what it said later showed what had been true. `price`: the person entered another price for this time. */
  readonly by: 'person' | 'box' | 'price';
  readonly reason: string;
}
