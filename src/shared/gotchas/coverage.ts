import type { Capability, Gotcha, OwnCoverage } from './gotcha.ts';

const NONE: OwnCoverage = { done: [], shown: [], planned: [] };

/** What is done about it, its own or that of the entries which it is another view of. */
export function coverageOf(gotcha: Gotcha, byId: ReadonlyMap<string, Gotcha>): OwnCoverage {
  const { coverage } = gotcha;
  if (coverage === null) return NONE;
  if (!('sameAs' in coverage)) return coverage;
  const parts = coverage.sameAs.map((id) => {
    const other = byId.get(id)?.coverage;
    // One step only: an entry that is itself another view names nothing that could be done.
    return other === undefined || other === null || 'sameAs' in other ? NONE : other;
  });
  return {
    done: parts.flatMap(({ done }) => done),
    shown: [...new Set(parts.flatMap(({ shown }) => shown))],
    planned: [...new Set(parts.flatMap(({ planned }) => planned))],
    beyond: parts.find(({ beyond }) => beyond !== undefined)?.beyond,
  };
}

/**
 * `partly`: something is done, and something waits. `beyond`: nothing can be done, and the entry says why. `open`: the person's own,
 * about which nothing is said.
 */
export const coverageStates = ['done', 'partly', 'planned', 'beyond', 'open'] as const;
export type CoverageState = (typeof coverageStates)[number];

export function stateOf({ done, shown, planned, beyond }: OwnCoverage): CoverageState {
  const isSomething = done.length + shown.length > 0;
  if (planned.length > 0) return isSomething ? 'partly' : 'planned';
  if (isSomething) return 'done';
  return beyond === undefined ? 'open' : 'beyond';
}

/** "schedulers and provider links". */
export function capabilityWords(words: readonly Capability[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
