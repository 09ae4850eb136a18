/** What the window says yes to: which plan, and what of it was shown. */
export interface PlanRef {
  readonly id: string;
  /** Of all that was shown. */
  readonly digest: string;
}

/** What was shown to a person is all that is done: it is kept in main, handed out once, and not for ever. */
export interface Plan extends PlanRef {
  readonly expiresAtMs: number;
}

/** What main is told of it. */
export function planRefOf({ id, digest }: PlanRef): PlanRef {
  return { id, digest };
}

export type PlanRefusal =
  /** It was done already, something newer was shown since, or it is another box's. */
  | 'gone'
  | 'expired'
  /** What was shown is not what is kept. */
  | 'changed';

/** Null: it may be done. */
export function judgePlan(kept: Plan | null, shown: PlanRef, atMs: number): PlanRefusal | null {
  if (kept?.id !== shown.id) return 'gone';
  if (atMs >= kept.expiresAtMs) return 'expired';
  return kept.digest === shown.digest ? null : 'changed';
}
