import type { Approval } from './gate.ts';
import type { InspectedRun, Inspection, KeptLoss, LeftBehind } from './inspection.ts';

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
  | { readonly step: 'called-off'; readonly approval: number }
  /** It was gone, and a machine is at its address again: it has everything before it. */
  | { readonly step: 'again'; readonly approval: number };

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

/** What the yes rested on, as it was when the box was ended. */
export function approvedEnd(
  { verb, typed, atMs }: Approval,
  { runs, left, blockers, copiesReadAtMs }: Inspection,
): ApprovedEnd {
  const losses = blockers.flatMap(({ id, loss, says, accepted, verb: only }) =>
    loss === null || accepted === null || (only !== null && only !== verb)
      ? []
      : [{ id, loss, says, ...accepted }],
  );
  return {
    ...{ boxName: typed, verb, typed, approvedAtMs: atMs },
    ...{ copiesReadAtMs, runs, left, losses },
  };
}
