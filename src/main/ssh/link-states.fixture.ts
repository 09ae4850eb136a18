import { chai } from 'vitest';
import type { LinkState } from '../../shared/boxes/box.ts';

/** Less than a test may take: that a state did not come is said by an assertion, with those that did. */
const PATIENCE_MS = 60_000;
/** Before any test puts a clock of its own in its place. */
const { setTimeout: realTimeout, clearTimeout: clearReal } = globalThis;

/** Every state the link enters, and a way to wait for one. */
export function watchStates() {
  const seen: LinkState[] = [];
  const waiting = new Set<() => void>();
  const kinds = (): string[] => seen.map(({ kind }) => kind);
  return {
    seen,
    kinds,
    onChange: (state: LinkState): void => {
      seen.push(state);
      for (const wake of waiting) wake();
    },
    /** The first state of this kind from now on. */
    next: <K extends LinkState['kind']>(kind: K): Promise<LinkState & { kind: K }> => {
      const from = seen.length;
      const coming = new Promise<LinkState & { kind: K }>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.delete(look);
          reject(new chai.AssertionError(`${kind} did not come after ${kinds().join(', ')}`));
        };
        const patience = realTimeout(giveUp, PATIENCE_MS).unref();
        const look = (): void => {
          const found = seen.slice(from).find((state) => state.kind === kind);
          if (found === undefined) return;
          waiting.delete(look);
          clearReal(patience);
          resolve(found as LinkState & { kind: K });
        };
        waiting.add(look);
      });
      // A test may be over before anybody waits for it.
      coming.catch(() => undefined);
      return coming;
    },
  };
}
