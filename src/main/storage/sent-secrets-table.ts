import { z } from 'zod';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { MAX_SENT_SECRETS, type SentSecret } from '../../shared/secrets/secret-on-box.ts';
import { isSecretPath, isVariableName } from '../../shared/secrets/sent-secret.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** Where secrets were sent, the newest first. */
export interface SentSecretsTable {
  readonly list: (boxId: string) => Result<Listing<SentSecret>, Problem>;
  /** The same file again is the same row. */
  readonly put: (boxId: string, secret: SentSecret) => Result<null, Problem>;
  readonly remove: (boxId: string, path: string) => Result<null, Problem>;
}

const COLUMNS = ['name', 'path', 'bytes', 'sent_at_ms'] as const;

// The same rules as for what a person types: an edited file must not have Leasehold look at, or remove, what it never wrote.
const sentRow = z
  .strictObject({
    name: z.string().refine(isVariableName, 'not the name of a variable'),
    path: z.string().refine(isSecretPath, 'not a plain path'),
    bytes: z.int().min(0),
    sent_at_ms: z.int().min(0),
  })
  .transform(({ sent_at_ms, ...row }): SentSecret => ({ ...row, sentAtMs: sent_at_ms }));

export function sentSecretsTable(sql: Sql): SentSecretsTable {
  return {
    list: (boxId) =>
      sql.read('What was sent to the box could not be read', (connection) =>
        readRows(
          connection.rows(
            COLUMNS,
            `sent_secrets WHERE box_id = ? ORDER BY sent_at_ms DESC LIMIT ${MAX_SENT_SECRETS}`,
            [boxId],
          ),
          sentRow,
          'A note about a sent secret',
        ),
      ),

    put: (boxId, secret) => {
      const kept = sql.write('That a secret was sent was not noted', (connection) =>
        upsert(connection, boxId, secret),
      );
      if (!kept.ok) return kept;
      return kept.value === 'kept' ? ok(null) : noSuchBox();
    },

    remove: (boxId, path) => {
      const removed = sql.write('The note about the secret was not removed', (connection) =>
        connection.run('DELETE FROM sent_secrets WHERE box_id = ? AND path = ?', [boxId, path]),
      );
      return removed.ok ? ok(null) : removed;
    },
  };
}

function upsert(
  connection: Connection,
  boxId: string,
  { name, path, bytes, sentAtMs }: SentSecret,
): 'kept' | 'no box' {
  try {
    connection.run(
      `INSERT INTO sent_secrets (box_id, ${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (box_id, path) DO UPDATE SET name = excluded.name, bytes = excluded.bytes,
         sent_at_ms = excluded.sent_at_ms`,
      [boxId, name, path, bytes, sentAtMs],
    );
    return 'kept';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'no box';
    throw cause;
  }
}
