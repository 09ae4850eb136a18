import type { WholeCost } from '../meter/whole-cost.ts';
import type { FoundMachine } from './found-on-box.ts';
import type { Act, Approval, EndAim, Gone } from './gate.ts';
import type { InspectedRun, Inspection, KeptLoss, LeftBehind } from './inspection.ts';
import type { ProviderLine } from './provider-said.ts';
import type { SecretsKept } from './secrets-found.ts';

/** A step of a teardown that the evidence keeps. What an approval rested on stands in it whole: the receipt is written from it. */
export type TeardownStep =
  | ({ readonly step: 'approved' } & ApprovedEnd)
  | ({ readonly step: 'gone' } & EndedBox)
  | { readonly step: 'called-off'; readonly approval: number }
  /** It was gone, and a machine is at its address again: it has everything before it. */
  | { readonly step: 'again'; readonly approval: number };

export interface EndedBox extends Pick<Gone, 'silence' | 'by'> {
  /** The number of its approval. */
  readonly approval: number;
  readonly actId: string;
  readonly verb: string;
  readonly aim: EndAim;
  /** Whether no box was left to reach, by the facts of that day; null: an older Leasehold, which did not write it. */
  readonly ends: boolean | null;
  readonly approvedAtMs: number;
  /** The machine that it was meant for; null: an older Leasehold, which did not write it. */
  readonly machine: FoundMachine | null;
  /** What the provider said on the way, each time that it said something else. */
  readonly told: readonly ProviderLine[];
  /** Until then; null: nothing was metered. */
  readonly cost: WholeCost | null;
}

export interface ApprovedEnd {
  readonly boxName: string;
  /** Who carries it out knows it by this. */
  readonly actId: string;
  readonly verb: string;
  readonly aim: EndAim;
  /** What the person typed, which is the name of the box. */
  readonly typed: string;
  /** Who was logged in to which computer; null: an older Leasehold, which did not write it. */
  readonly who: string | null;
  readonly approvedAtMs: number;
  /** The machine that it is meant for; null: an older Leasehold, which did not write it. */
  readonly machine: FoundMachine | null;
  /** Null: the end rests on no copy. */
  readonly copiesReadAtMs: number | null;
  readonly runs: readonly InspectedRun[];
  readonly left: readonly LeftBehind[];
  readonly losses: readonly KeptLoss[];
  /** Null: an older Leasehold, which did not look for any. */
  readonly secrets: SecretsKept | null;
}

/** What the yes rested on, as it was when the box was ended. */
export function approvedEnd(
  actId: string,
  { verb, aim, typed, atMs }: Approval,
  { machine, runs, left, blockers, copiesReadAtMs }: Inspection,
  { secrets, who }: Pick<ApprovedEnd, 'secrets' | 'who'>,
): ApprovedEnd {
  const losses = blockers.flatMap(({ id, loss, says, accepted, verb: only }) =>
    loss === null || accepted === null || (only !== null && only !== verb)
      ? []
      : [{ id, loss, says, ...accepted }],
  );
  return {
    ...{ boxName: typed, actId, verb, aim, typed, who, approvedAtMs: atMs, machine },
    ...{ copiesReadAtMs, runs, left, losses, secrets },
  };
}

export function endedBox(
  { id, verb, aim, approvedAtMs, evidence, machine }: Act,
  { silence, by }: Gone,
  rest: Pick<EndedBox, 'ends' | 'told' | 'cost'>,
): EndedBox {
  const of = { approval: evidence, actId: id, verb, aim, approvedAtMs, machine };
  return { ...of, silence, by, ...rest };
}
