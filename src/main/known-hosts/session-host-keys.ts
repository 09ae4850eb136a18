import { ok } from '../../shared/result.ts';
import type { HostKeyStore } from '../ssh/host-key-store.ts';
import type { PastHostKey } from '../ssh/host-key.ts';

/** Keys of machines that live no longer than this session, and of which no file knows: the demo box. */
export function sessionHostKeys(): HostKeyStore {
  const keysOf = new Map<string, readonly PastHostKey[]>();
  const history = (machineId: string): readonly PastHostKey[] => keysOf.get(machineId) ?? [];

  return {
    current: (machineId) => ok(history(machineId)[0] ?? null),
    history: (machineId) => ok({ rows: history(machineId), unreadable: [] }),
    knownElsewhere: () => Promise.resolve({ lines: [], problems: [] }),
    store: (machineId, { type, fingerprint, publicKey }, atMs, { by, where }) => {
      const [before, ...older] = history(machineId);
      if (before?.publicKey === publicKey) return ok(null);
      const fresh: PastHostKey = {
        type,
        fingerprint,
        publicKey,
        storedAtMs: atMs,
        lastSeenMs: null,
        trustedBy: by,
        trustedWhere: where,
        replacedAtMs: null,
        replacedBecause: null,
      };
      const past = before && {
        ...before,
        replacedAtMs: atMs,
        replacedBecause: 'new-machine' as const,
      };
      keysOf.set(machineId, past === undefined ? [fresh] : [fresh, past, ...older]);
      return ok(null);
    },
    seen: (machineId, atMs) => {
      const [current, ...older] = history(machineId);
      if (current !== undefined)
        keysOf.set(machineId, [{ ...current, lastSeenMs: atMs }, ...older]);
      return ok(null);
    },
  };
}
