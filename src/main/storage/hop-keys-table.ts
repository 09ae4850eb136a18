import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OfferedHostKey, StoredHostKey } from '../ssh/host-key.ts';
import { hostKeyFields, isKeyOfFingerprint } from './host-keys-table.ts';
import { readRows } from './rows.ts';
import type { Sql } from './sql.ts';

/** Which key each jump host had when the person trusted it, by the id of its place on the way. */
export interface HopKeysTable {
  /** SECURITY: as for boxes, a key that cannot be read is a problem, never null. */
  readonly current: (machineId: string) => Result<StoredHostKey | null, Problem>;
  readonly store: (machineId: string, key: OfferedHostKey, atMs: number) => Result<null, Problem>;
  /** Forgets the keys of every place that is on the way to no box any more. */
  readonly keepOnly: (machineIds: readonly string[]) => Result<null, Problem>;
}

const COLUMNS = ['type', 'fingerprint', 'public_key', 'stored_at_ms'] as const;

const hopKeyRow = z
  .strictObject(hostKeyFields)
  .refine(isKeyOfFingerprint, { error: 'the fingerprint is not that of the key' })
  .transform(({ type, fingerprint, public_key, stored_at_ms }): StoredHostKey => ({
    type,
    fingerprint,
    publicKey: public_key,
    storedAtMs: stored_at_ms,
  }));

export function hopKeysTable(sql: Sql): HopKeysTable {
  const current = (machineId: string): Result<StoredHostKey | null, Problem> => {
    const found = sql.read('The host key of a jump host could not be read', (connection) =>
      readRows(
        connection.rows(COLUMNS, 'hop_host_keys WHERE machine_id = ?', [machineId]),
        hopKeyRow,
        'A host key',
      ),
    );
    if (!found.ok) return found;
    const { rows, unreadable } = found.value;
    return unreadable[0] === undefined ? ok(rows[0] ?? null) : err(unreadable[0]);
  };

  return {
    current,
    keepOnly: (machineIds) => {
      const kept = sql.write('The host keys of jump hosts were not forgotten', (connection) =>
        connection.run(
          'DELETE FROM hop_host_keys WHERE machine_id NOT IN (SELECT value FROM json_each(?))',
          [JSON.stringify(machineIds)],
        ),
      );
      return kept.ok ? ok(null) : kept;
    },
    store: (machineId, { type, fingerprint, publicKey }, atMs) => {
      const failed = 'The host key of the jump host was not saved';
      return sql.transaction(failed, () => {
        const stored = sql.write(failed, (connection) =>
          connection.run(
            `INSERT INTO hop_host_keys (machine_id, ${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (machine_id) DO UPDATE SET type = excluded.type,
               fingerprint = excluded.fingerprint, public_key = excluded.public_key,
               stored_at_ms = excluded.stored_at_ms`,
            [machineId, type, fingerprint, publicKey, atMs],
          ),
        );
        if (!stored.ok) return stored;
        const readBack = current(machineId);
        return readBack.ok ? ok(null) : readBack;
      });
    },
  };
}
