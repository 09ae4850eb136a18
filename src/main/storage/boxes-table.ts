import { z } from 'zod';
import { sshAddress, type Box, type SshAddress } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** The boxes that the person added. The demo box is not among them: it is new at each start. */
export interface BoxesTable {
  /** In the order in which they were added. */
  readonly list: () => Result<Listing<Box>, Problem>;
  readonly add: (box: Box) => Result<Box, Problem>;
  readonly rename: (boxId: string, name: string) => Result<Box, Problem>;
  /** Forgets its host keys too. The machine itself is not touched. */
  readonly forget: (boxId: string) => Result<null, Problem>;
}

const COLUMNS = [
  'id',
  'name',
  'platform',
  'host',
  'port',
  'user',
  'identity_file',
  'added_at_ms',
] as const;

const NOT_SAVED = 'The box was not saved';
const NOT_RENAMED = 'The box was not renamed';

const boxRow = z
  .strictObject({
    id: z.uuid(),
    name: z.string().min(1),
    platform: z.string().min(1),
    ...sshAddress.shape,
    identity_file: z.string().min(1).nullable(),
    added_at_ms: z.int().min(0),
  })
  .transform(({ id, name, platform, host, port, user, identity_file, added_at_ms }): Box => ({
    id,
    name,
    platform,
    address: { host, port, user },
    identityFile: identity_file,
    addedAtMs: added_at_ms,
  }));

export function boxesTable(sql: Sql): BoxesTable {
  const find = (boxId: string): Result<Box, Problem> => {
    const found = sql.read('The box could not be read', (connection) =>
      readRows(connection.rows(COLUMNS, 'boxes WHERE id = ?', [boxId]), boxRow, 'A box'),
    );
    if (!found.ok) return found;
    const [box] = found.value.rows;
    if (box !== undefined) return ok(box);
    return err(found.value.unreadable[0] ?? noSuchBox());
  };

  return {
    list: () =>
      sql.read('Your boxes could not be read', (connection) =>
        readRows(connection.rows(COLUMNS, 'boxes ORDER BY added_at_ms, id'), boxRow, 'A box'),
      ),

    // What was written is read back inside the transaction: a box that could not be read later is not kept at all.
    add: (box) =>
      sql.transaction(NOT_SAVED, () => {
        const added = sql.write(NOT_SAVED, (connection) => insertBox(connection, box));
        if (!added.ok) return added;
        return added.value === 'added' ? find(box.id) : err(boxExists(box.address));
      }),

    rename: (boxId, name) =>
      sql.transaction(NOT_RENAMED, () => {
        const changed = sql.write(NOT_RENAMED, (connection) =>
          connection.run('UPDATE boxes SET name = ? WHERE id = ?', [name, boxId]),
        );
        return changed.ok ? find(boxId) : changed;
      }),

    forget: (boxId) => {
      // Host keys belong to machines of any kind, so no foreign key takes them along.
      const removed = sql.write('The box was not forgotten', (connection) => {
        connection.run('DELETE FROM host_keys WHERE machine_id = ?', [boxId]);
        return connection.run('DELETE FROM boxes WHERE id = ?', [boxId]);
      });
      if (!removed.ok) return removed;
      return removed.value === 0 ? err(noSuchBox()) : ok(null);
    },
  };
}

function insertBox(connection: Connection, box: Box): 'added' | 'exists' {
  const { id, name, platform, address, identityFile, addedAtMs } = box;
  const { host, port, user } = address;
  try {
    connection.run(`INSERT INTO boxes (${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
      id,
      name,
      platform,
      host,
      port,
      user,
      identityFile,
      addedAtMs,
    ]);
    return 'added';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_UNIQUE') return 'exists';
    throw cause;
  }
}

function boxExists({ host, port, user }: SshAddress): Problem {
  return problem(
    'box-exists',
    `A box with the address ${user}@${host}, port ${port}, is already there.`,
  );
}

export function noSuchBox(): Problem {
  return problem('no-such-box', 'That box is not in the list any more.');
}
