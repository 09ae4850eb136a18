import type { InspectedRun, KeptLoss, LeftBehind } from './inspection.ts';

/** A step of a teardown that the evidence keeps. What an approval rested on stands in it whole: the receipt is written from it. */
export type TeardownStep =
  | ({ readonly step: 'approved' } & ApprovedEnd)
  | {
      readonly step: 'gone';
      /** The number of its approval. */
      readonly approval: number;
      readonly verb: string;
      readonly approvedAtMs: number;
      readonly saidAtMs: number;
      /** How the address of the box was silent. */
      readonly silence: string;
    }
  | { readonly step: 'called-off'; readonly approval: number };

export interface ApprovedEnd {
  readonly boxName: string;
  readonly verb: string;
  /** What the person typed, which is the name of the box. */
  readonly typed: string;
  readonly approvedAtMs: number;
  /** Null: the end rests on no copy. */
  readonly copiesReadAtMs: number | null;
  readonly runs: readonly InspectedRun[];
  readonly left: readonly LeftBehind[];
  readonly losses: readonly KeptLoss[];
}
