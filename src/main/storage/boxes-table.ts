import { z } from 'zod';
import { sshAddress, type SshAddress } from '../../shared/boxes/address.ts';
import { boxOptions } from '../../shared/boxes/box-options.ts';
import type { Box, BoxConnection } from '../../shared/boxes/box.ts';
import { login } from '../../shared/boxes/login.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import { route } from '../../shared/boxes/route.ts';
import { tags } from '../../shared/boxes/tags.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSqliteError, type Connection, type SqlValue } from './connection.ts';
import { jsonColumn, readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** The boxes that the person added. The demo box is not among them: it is new at each start. */
export interface BoxesTable {
  /** In the order in which they were added. */
  readonly list: () => Result<Listing<Box>, Problem>;
  readonly add: (box: Box) => Result<Box, Problem>;
  /** Where and how the box is reached from now on. Its host keys stay: a new address must show the key it had. */
  readonly reconnect: (boxId: string, connection: BoxConnection) => Result<Box, Problem>;
  readonly rename: (boxId: string, name: string) => Result<Box, Problem>;
  readonly tag: (boxId: string, tags: readonly string[]) => Result<Box, Problem>;
  readonly setPlatform: (boxId: string, platform: string) => Result<Box, Problem>;
  /** The box is gone, since then; null: it is among the living again, if nobody else has its address by now. */
  readonly archive: (boxId: string, atMs: number | null) => Result<Box, Problem>;
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
  'route',
  'login',
  'options',
  'tags',
  'added_at_ms',
  'archived_at_ms',
] as const;

const NOT_SAVED = 'The box was not saved';
const NOT_CHANGED = 'The connection of the box was not changed';
const NOT_RENAMED = 'The box was not renamed';
const NOT_MOVED = 'The platform of the box was not changed';
const NOT_ARCHIVED = 'The box was not archived';
const NOT_TAGGED = 'The tags of the box were not changed';

const boxRow = z
  .strictObject({
    id: z.uuid(),
    name: z.string().min(1),
    platform: z.string().min(1),
    ...sshAddress.shape,
    route: jsonColumn(route),
    login: jsonColumn(login),
    options: jsonColumn(boxOptions),
    tags: jsonColumn(tags),
    added_at_ms: z.int().min(0),
    archived_at_ms: z.int().min(0).nullable(),
  })
  .transform(({ host, port, user, added_at_ms, archived_at_ms, ...rest }): Box => ({
    ...rest,
    address: { host, port, user },
    addedAtMs: added_at_ms,
    ...(archived_at_ms !== null && { archivedAtMs: archived_at_ms }),
  }));

export function boxesTable(sql: Sql): BoxesTable {
  const find = (boxId: string): Result<Box, Problem> => {
    const found = sql.read('The box could not be read', (connection) =>
      readRows(connection.rows(COLUMNS, 'boxes WHERE id = ?', [boxId]), boxRow, 'A box'),
    );
    if (!found.ok) return found;
    const [box] = found.value.rows;
    if (box !== undefined) return ok(box);
    const [unreadable] = found.value.unreadable;
    return unreadable === undefined ? noSuchBox() : err(unreadable);
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
        return added.value === 'done' ? find(box.id) : err(boxExists(box.address));
      }),

    reconnect: (boxId, to) =>
      sql.transaction(NOT_CHANGED, () => {
        const changed = sql.write(NOT_CHANGED, (connection) =>
          unlessTaken(() =>
            connection.run(
              'UPDATE boxes SET host = ?, port = ?, user = ?, route = ?, login = ?, options = ? WHERE id = ?',
              [...connectionCells(to), boxId],
            ),
          ),
        );
        if (!changed.ok) return changed;
        return changed.value === 'done' ? find(boxId) : err(boxExists(to.address));
      }),

    rename: (boxId, name) =>
      sql.transaction(NOT_RENAMED, () => {
        const changed = sql.write(NOT_RENAMED, (connection) =>
          connection.run('UPDATE boxes SET name = ? WHERE id = ?', [name, boxId]),
        );
        return changed.ok ? find(boxId) : changed;
      }),

    tag: (boxId, given) =>
      sql.transaction(NOT_TAGGED, () => {
        const changed = sql.write(NOT_TAGGED, (connection) =>
          connection.run('UPDATE boxes SET tags = ? WHERE id = ?', [
            JSON.stringify(tags.parse(given)),
            boxId,
          ]),
        );
        return changed.ok ? find(boxId) : changed;
      }),

    setPlatform: (boxId, platform) =>
      sql.transaction(NOT_MOVED, () => {
        const changed = sql.write(NOT_MOVED, (connection) =>
          connection.run('UPDATE boxes SET platform = ? WHERE id = ?', [platform, boxId]),
        );
        return changed.ok ? find(boxId) : changed;
      }),

    archive: (boxId, atMs) =>
      sql.transaction(NOT_ARCHIVED, () => {
        const changed = sql.write(NOT_ARCHIVED, (connection) =>
          unlessTaken(() =>
            connection.run('UPDATE boxes SET archived_at_ms = ? WHERE id = ?', [atMs, boxId]),
          ),
        );
        if (!changed.ok) return changed;
        const box = find(boxId);
        return changed.value === 'taken' && box.ok ? err(boxExists(box.value.address)) : box;
      }),

    forget: (boxId) => {
      // Host keys belong to machines of any kind, so no foreign key takes them along.
      const removed = sql.write('The box was not forgotten', (connection) => {
        connection.run('DELETE FROM host_keys WHERE machine_id = ?', [boxId]);
        return connection.run('DELETE FROM boxes WHERE id = ?', [boxId]);
      });
      if (!removed.ok) return removed;
      return removed.value === 0 ? noSuchBox() : ok(null);
    },
  };
}

function insertBox(connection: Connection, box: Box): 'done' | 'taken' {
  const { id, name, platform, addedAtMs } = box;
  const places = COLUMNS.map(() => '?').join(', ');
  return unlessTaken(() =>
    connection.run(`INSERT INTO boxes (${COLUMNS.join(', ')}) VALUES (${places})`, [
      id,
      name,
      platform,
      ...connectionCells(box),
      JSON.stringify(tags.parse(box.tags)),
      addedAtMs,
      null,
    ]),
  );
}

/** In the order of the columns. Parsing puts the keys of the JSON in one order, which makes equal routes equal text. */
function connectionCells(connection: BoxConnection): readonly SqlValue[] {
  const { host, port, user } = connection.address;
  const json = [
    route.parse(connection.route),
    login.parse(connection.login),
    boxOptions.parse(connection.options),
  ];
  return [host, port, user, ...json.map((part) => JSON.stringify(part))];
}

function unlessTaken(work: () => number): 'done' | 'taken' {
  try {
    work();
    return 'done';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_UNIQUE') return 'taken';
    throw cause;
  }
}

function boxExists({ host, port, user }: SshAddress): Problem {
  return problem(
    'box-exists',
    `A box with the address ${user}@${host}, port ${port}, is already there, reached the same way.`,
  );
}
