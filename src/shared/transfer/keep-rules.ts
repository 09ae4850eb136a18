import { z } from 'zod';
import { ruleError } from './rule-error.ts';

/** What a file can be said to be for. */
export const saidKinds = ['evidence', 'checkpoint', 'scratch'] as const;

export interface KeepRule {
  /** Below the results folder, as in .gitignore. */
  readonly pattern: string;
  readonly keep: (typeof saidKinds)[number];
}

export const MAX_KEEP_RULES = 200;

const pattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((each) => ruleError(each) === null);

/** The person's own rules, the first that fits. `boxId`: of one box, whose rules count before those of every box. */
export const ownKeepRules = z
  .array(z.strictObject({ pattern, keep: z.enum(saidKinds), boxId: z.uuid().nullable() }))
  .max(MAX_KEEP_RULES);
export type OwnKeepRule = z.infer<typeof ownKeepRules>[number];

/** Of whom a rule is, the one that counts most first. */
export type KeepSource = 'request' | 'box' | 'person' | 'usual';

export interface SaidRule extends KeepRule {
  readonly from: KeepSource;
}

export type KeepRulesOf = (boxId: string) => readonly SaidRule[];

/** Those of one box, as they count. */
export function rulesOn(own: readonly OwnKeepRule[], boxId: string): readonly SaidRule[] {
  const of = (id: string | null, from: KeepSource): readonly SaidRule[] =>
    own
      .filter((rule) => rule.boxId === id)
      .map(({ pattern: p, keep }) => ({ pattern: p, keep, from }));
  return [...of(boxId, 'box'), ...of(null, 'person')];
}
