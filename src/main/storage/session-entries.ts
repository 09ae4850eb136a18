import { ok } from '../../shared/result.ts';
import type { EntriesTable } from './entries-table.ts';

export interface SessionEntries extends EntriesTable {
  /** From now on this key is read from and written to memory only, until the returned function lets it go. */
  readonly hold: (boxId: string, key: string, value: unknown, atMs: number) => () => void;
}

/** The table, with some keys that live no longer than this session: those of the demo box, of which nothing is stored. */
export function sessionEntries(table: EntriesTable): SessionEntries {
  const held = new Map<string, { readonly value: unknown; readonly saidAtMs: number }>();
  const nameOf = (boxId: string, key: string): string => `${boxId} ${key}`;
  const writeBy =
    (write: EntriesTable['write']): EntriesTable['write'] =>
    (boxId, key, value, atMs) => {
      const name = nameOf(boxId, key);
      if (!held.has(name)) return write(boxId, key, value, atMs);
      held.set(name, { value, saidAtMs: atMs });
      return ok(null);
    };
  return {
    read: (boxId, key, schema) => {
      const here = held.get(nameOf(boxId, key));
      return here === undefined ? table.read(boxId, key, schema) : ok(schema.parse(here.value));
    },
    saidAtMs: (boxId, key) => {
      const here = held.get(nameOf(boxId, key));
      return here === undefined ? table.saidAtMs(boxId, key) : ok(here.saidAtMs);
    },
    write: writeBy(table.write),
    writeRelaxed: writeBy(table.writeRelaxed),
    // Of what is held, nothing is ever unreadable.
    setAside: table.setAside,
    hold: (boxId, key, value, atMs) => {
      const name = nameOf(boxId, key);
      held.set(name, { value, saidAtMs: atMs });
      return () => void held.delete(name);
    },
  };
}
