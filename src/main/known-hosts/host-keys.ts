import type { HostKeyLookup, HostKeyStore, KnownElsewhere } from '../ssh/host-key-store.ts';
import type { HostKeysTable } from '../storage/host-keys-table.ts';

export interface HostKeysOptions {
  readonly table: HostKeysTable;
  readonly knownElsewhere: (lookup: HostKeyLookup) => Promise<KnownElsewhere>;
  /** Called after each change of what is trusted. */
  readonly onChange: () => void;
}

/** The table and the person's known_hosts files, as links ask them. */
export function openHostKeys({ table, knownElsewhere, onChange }: HostKeysOptions): HostKeyStore {
  return {
    current: table.current,
    history: table.history,
    knownElsewhere,
    store: (machineId, key, atMs, trust) => {
      const stored = table.store(machineId, key, atMs, trust);
      if (stored.ok) onChange();
      return stored;
    },
    seen: (machineId, atMs, address) => {
      const noted = table.seen(machineId, atMs, address);
      if (noted.ok) onChange();
      return noted;
    },
  };
}
