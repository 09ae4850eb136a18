import type { Incident, Label } from './incident.ts';

/** What was said of one incident, against its label. */
export interface Verdict {
  readonly incident: Incident;
  /** What the app said of the incident's own id; null: nothing came of it, and `because` says why. */
  readonly got: Label | null;
  /** It says of the own id what is so, the proven cause included. */
  readonly isRight: boolean;
  /** Ids that were found and are not there. */
  readonly falseAlarms: readonly string[];
  readonly because: string;
}

export interface Count {
  expected: number;
  got: number;
}

export interface IdScore {
  readonly id: string;
  readonly counts: Readonly<Record<Label, Count>>;
  falseAlarms: number;
}

/** By id, in the order in which they come. */
export function scoresOf(verdicts: readonly Verdict[]): readonly IdScore[] {
  const scores = new Map<string, IdScore>();
  const scoreOf = (id: string): IdScore => {
    const known = scores.get(id);
    if (known !== undefined) return known;
    const none = (): Count => ({ expected: 0, got: 0 });
    const made = { id, counts: { found: none(), clear: none(), unknown: none() }, falseAlarms: 0 };
    scores.set(id, made);
    return made;
  };
  for (const { incident, isRight, falseAlarms } of verdicts) {
    const count = scoreOf(incident.id).counts[incident.label];
    count.expected += 1;
    if (isRight) count.got += 1;
    for (const id of falseAlarms) scoreOf(id).falseAlarms += 1;
  }
  return [...scores.values()];
}
