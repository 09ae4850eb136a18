import type { LinkState } from '../../shared/boxes/box.ts';

/** Every state the link enters, and a way to wait for one. */
export function watchStates() {
  const seen: LinkState[] = [];
  const waiting = new Set<() => void>();
  return {
    seen,
    kinds: (): string[] => seen.map(({ kind }) => kind),
    onChange: (state: LinkState): void => {
      seen.push(state);
      for (const wake of waiting) wake();
    },
    /** The first state of this kind from now on. */
    next: <K extends LinkState['kind']>(kind: K): Promise<LinkState & { kind: K }> => {
      const from = seen.length;
      return new Promise((resolve) => {
        const look = (): void => {
          const found = seen.slice(from).find((state) => state.kind === kind);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found as LinkState & { kind: K });
        };
        waiting.add(look);
      });
    },
  };
}
