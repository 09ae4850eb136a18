import { z } from 'zod';
import { replacedReasons, trustWays, type ReplacedBecause } from '../../shared/boxes/host-key.ts';
import type { TrustedMachine } from '../../shared/boxes/known-hosts/format-known-hosts.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  readHostKey,
  type OfferedHostKey,
  type PastHostKey,
  type StoredHostKey,
  type Trust,
} from '../ssh/host-key.ts';
import { HOP_ID } from '../ssh/jump-way.ts';
import type { Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/**
 * Which key each machine had when the person trusted it. One is current; those before it are kept. A machine is a box or
 * anything else that is dialled, so the id is whatever names it for good.
 */
export interface HostKeysTable {
  /**
   * SECURITY: null says that no key was ever trusted, and leads to the question for a first contact. A key that is there
   * but cannot be read is a problem, never null.
   */
  readonly current: (machineId: string) => Result<StoredHostKey | null, Problem>;
  /** Makes this the one key of the machine. The same key again changes nothing. */
  readonly store: (
    machineId: string,
    key: OfferedHostKey,
    atMs: number,
    trust: Trust,
  ) => Result<null, Problem>;
  /** Notes that the machine has proved that it has its current key, and where. */
  readonly seen: (
    machineId: string,
    atMs: number,
    address: Trust['address'],
  ) => Result<null, Problem>;
  /** Newest first. */
  readonly history: (machineId: string) => Result<Listing<PastHostKey>, Problem>;
  /** Forgets every key of all other jump hosts: those that are on the way to no box any more. */
  readonly keepHops: (machineIds: readonly string[]) => Result<null, Problem>;
  /** Every key that is trusted now, for the known_hosts file. */
  readonly trusted: () => Result<Listing<TrustedMachine>, Problem>;
}

const COLUMNS = [
  'host',
  'port',
  'type',
  'fingerprint',
  'public_key',
  'trusted_by',
  'trusted_where',
  'stored_at_ms',
  'last_seen_ms',
  'replaced_at_ms',
  'replaced_because',
] as const;

const rowFields = z
  .strictObject({
    host: z.string().min(1),
    port: z.int().min(1).max(65535),
    type: z.string().min(1),
    fingerprint: z.string(),
    public_key: z.base64().min(1),
    trusted_by: z.enum(trustWays),
    trusted_where: z.string().nullable(),
    stored_at_ms: z.int().min(0),
    last_seen_ms: z.int().min(0).nullable(),
    replaced_at_ms: z.int().min(0).nullable(),
    replaced_because: z.enum(replacedReasons).nullable(),
  })
  // The two hold the same fact, so damage to either shows.
  .refine(({ fingerprint, public_key }) => fingerprint === fingerprintOf(public_key), {
    error: 'the fingerprint is not that of the key',
  });

const pastKeyRow = rowFields.transform((row): PastHostKey => ({
  type: row.type,
  fingerprint: row.fingerprint,
  publicKey: row.public_key,
  storedAtMs: row.stored_at_ms,
  lastSeenMs: row.last_seen_ms,
  trustedBy: row.trusted_by,
  trustedWhere: row.trusted_where,
  replacedAtMs: row.replaced_at_ms,
  replacedBecause: row.replaced_because,
}));

const trustedRow = rowFields.transform(
  ({ host, port, type, public_key, stored_at_ms, last_seen_ms }): TrustedMachine => ({
    host,
    port,
    type,
    publicKey: public_key,
    atMs: Math.max(stored_at_ms, last_seen_ms ?? 0),
  }),
);

const NOT_SAVED = 'The host key was not saved';
const WHAT = 'A host key';

export function hostKeysTable(sql: Sql): HostKeysTable {
  const current = (machineId: string): Result<StoredHostKey | null, Problem> => {
    const found = sql.read('The host key of the box could not be read', (connection) =>
      readRows(
        connection.rows(COLUMNS, 'host_keys WHERE machine_id = ? AND replaced_at_ms IS NULL', [
          machineId,
        ]),
        pastKeyRow,
        WHAT,
      ),
    );
    if (!found.ok) return found;
    const { rows, unreadable } = found.value;
    if (unreadable[0] !== undefined) return err(unreadable[0]);
    const [key] = rows;
    if (key === undefined) return ok(null);
    const { type, fingerprint, publicKey, storedAtMs, lastSeenMs } = key;
    return ok({ type, fingerprint, publicKey, storedAtMs, lastSeenMs });
  };

  return {
    current,

    store: (machineId, key, atMs, trust) =>
      sql.transaction(NOT_SAVED, () => {
        const before = current(machineId);
        if (before.ok && before.value?.publicKey === key.publicKey) return ok(null);
        // A current key that cannot be read is replaced like any other: the person has just compared this one.
        const stored = sql.write(NOT_SAVED, (connection) =>
          replaceKey(connection, machineId, key, atMs, trust),
        );
        if (!stored.ok) return stored;
        const readBack = current(machineId);
        return readBack.ok ? ok(null) : readBack;
      }),

    seen: (machineId, atMs, { host, port }) => {
      const noted = sql.write('When the box was last seen was not noted', (connection) =>
        connection.run(
          'UPDATE host_keys SET last_seen_ms = ?, host = ?, port = ? WHERE machine_id = ? AND replaced_at_ms IS NULL',
          [atMs, host, port, machineId],
        ),
      );
      return noted.ok ? ok(null) : noted;
    },

    history: (machineId) =>
      sql.read('The host keys of the box could not be read', (connection) =>
        readRows(
          connection.rows(COLUMNS, 'host_keys WHERE machine_id = ? ORDER BY id DESC', [machineId]),
          pastKeyRow,
          WHAT,
        ),
      ),

    keepHops: (machineIds) => {
      const kept = sql.write('The host keys of jump hosts were not forgotten', (connection) =>
        connection.run(
          "DELETE FROM host_keys WHERE machine_id LIKE ? || '%' AND machine_id NOT IN (SELECT value FROM json_each(?))",
          [HOP_ID, JSON.stringify(machineIds)],
        ),
      );
      return kept.ok ? ok(null) : kept;
    },

    trusted: () =>
      sql.read('The trusted host keys could not be read', (connection) =>
        readRows(
          connection.rows(COLUMNS, 'host_keys WHERE replaced_at_ms IS NULL ORDER BY id'),
          trustedRow,
          WHAT,
        ),
      ),
  };
}

function replaceKey(
  connection: Connection,
  machineId: string,
  { type, fingerprint, publicKey }: OfferedHostKey,
  atMs: number,
  { address, by, where }: Trust,
): void {
  const because: ReplacedBecause = by.startsWith('new-machine') ? 'new-machine' : 'trusted-anew';
  connection.run(
    'UPDATE host_keys SET replaced_at_ms = ?, replaced_because = ? WHERE machine_id = ? AND replaced_at_ms IS NULL',
    [atMs, because, machineId],
  );
  connection.run(
    'INSERT INTO host_keys (machine_id, host, port, type, fingerprint, public_key, trusted_by, trusted_where, stored_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [machineId, address.host, address.port, type, fingerprint, publicKey, by, where, atMs],
  );
}

function fingerprintOf(publicKey: string): string {
  return readHostKey(Buffer.from(publicKey, 'base64')).fingerprint;
}
