import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readHostKey, type OfferedHostKey, type StoredHostKey } from '../ssh/host-key.ts';
import { noSuchBox } from './boxes-table.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** A key that was trusted once, whether it still is or not. */
export interface PastHostKey extends StoredHostKey {
  /** When another key took its place; null: it is the current one. */
  readonly replacedAtMs: number | null;
}

/** Which key each box had when the person trusted it. One is current; those before it are kept. */
export interface HostKeysTable {
  /**
   * SECURITY: null says that no key was ever trusted, and leads to the question for a first contact. A key that is there
   * but cannot be read is a problem, never null.
   */
  readonly current: (boxId: string) => Result<StoredHostKey | null, Problem>;
  /** Makes this the one key of the box. The same key again changes nothing. */
  readonly store: (boxId: string, key: OfferedHostKey, atMs: number) => Result<null, Problem>;
  /** Newest first. */
  readonly history: (boxId: string) => Result<Listing<PastHostKey>, Problem>;
}

const COLUMNS = ['type', 'fingerprint', 'public_key', 'stored_at_ms', 'replaced_at_ms'] as const;

export const hostKeyFields = {
  type: z.string().min(1),
  fingerprint: z.string(),
  public_key: z.base64().min(1),
  stored_at_ms: z.int().min(0),
};

const hostKeyRow = z
  .strictObject({ ...hostKeyFields, replaced_at_ms: z.int().min(0).nullable() })
  // The two hold the same fact, so damage to either shows.
  .refine(isKeyOfFingerprint, { error: 'the fingerprint is not that of the key' })
  .transform(({ type, fingerprint, public_key, stored_at_ms, replaced_at_ms }): PastHostKey => ({
    type,
    fingerprint,
    publicKey: public_key,
    storedAtMs: stored_at_ms,
    replacedAtMs: replaced_at_ms,
  }));

const NOT_SAVED = 'The host key was not saved';
const WHAT = 'A host key';

export function hostKeysTable(sql: Sql): HostKeysTable {
  const current = (boxId: string): Result<StoredHostKey | null, Problem> => {
    const found = sql.read('The host key of the box could not be read', (connection) =>
      readRows(
        connection.rows(COLUMNS, 'host_keys WHERE box_id = ? AND replaced_at_ms IS NULL', [boxId]),
        hostKeyRow,
        WHAT,
      ),
    );
    if (!found.ok) return found;
    const { rows, unreadable } = found.value;
    if (unreadable[0] !== undefined) return err(unreadable[0]);
    const [key] = rows;
    if (key === undefined) return ok(null);
    const { type, fingerprint, publicKey, storedAtMs } = key;
    return ok({ type, fingerprint, publicKey, storedAtMs });
  };

  return {
    current,

    store: (boxId, key, atMs) =>
      sql.transaction(NOT_SAVED, () => {
        const before = current(boxId);
        if (before.ok && before.value?.publicKey === key.publicKey) return ok(null);
        // A current key that cannot be read is replaced like any other: the person has just compared this one.
        const stored = sql.write(NOT_SAVED, (connection) =>
          replaceKey(connection, boxId, key, atMs),
        );
        if (!stored.ok) return stored;
        if (stored.value === 'no box') return err(noSuchBox());
        const readBack = current(boxId);
        return readBack.ok ? ok(null) : readBack;
      }),

    history: (boxId) =>
      sql.read('The host keys of the box could not be read', (connection) =>
        readRows(
          connection.rows(COLUMNS, 'host_keys WHERE box_id = ? ORDER BY id DESC', [boxId]),
          hostKeyRow,
          WHAT,
        ),
      ),
  };
}

function replaceKey(
  connection: Connection,
  boxId: string,
  { type, fingerprint, publicKey }: OfferedHostKey,
  atMs: number,
): 'stored' | 'no box' {
  connection.run(
    'UPDATE host_keys SET replaced_at_ms = ? WHERE box_id = ? AND replaced_at_ms IS NULL',
    [atMs, boxId],
  );
  try {
    connection.run(
      'INSERT INTO host_keys (box_id, type, fingerprint, public_key, stored_at_ms) VALUES (?, ?, ?, ?, ?)',
      [boxId, type, fingerprint, publicKey, atMs],
    );
    return 'stored';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'no box';
    throw cause;
  }
}

export function isKeyOfFingerprint(row: {
  readonly fingerprint: string;
  readonly public_key: string;
}): boolean {
  return row.fingerprint === readHostKey(Buffer.from(row.public_key, 'base64')).fingerprint;
}
