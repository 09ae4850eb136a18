import { z } from 'zod';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { tunnelDraft, type Tunnel } from '../../shared/tunnels/tunnel.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** The tunnels that the person keeps for each box, in the order in which they were added. */
export interface TunnelsTable {
  readonly list: (boxId: string) => Result<Listing<Tunnel>, Problem>;
  readonly put: (boxId: string, tunnel: Tunnel) => Result<null, Problem>;
  readonly remove: (boxId: string, tunnelId: string) => Result<null, Problem>;
}

const COLUMNS = [
  'id',
  'name',
  'kind',
  'service',
  'listen_port',
  'is_exposed',
  'target_host',
  'target_port',
  'is_on',
] as const;

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

const columns = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  kind: z.string(),
  service: z.string(),
  listen_port: z.int(),
  is_exposed: flag,
  target_host: z.string().nullable(),
  target_port: z.int().nullable(),
  is_on: flag,
});

// The same rules as for what a person types: an edited file must not open what the window would refuse.
const tunnelRow = columns.transform((row, context): Tunnel => {
  const { target_host: host, target_port: port } = row;
  const draft = tunnelDraft.safeParse({
    name: row.name,
    kind: row.kind,
    service: row.service,
    listenPort: row.listen_port,
    isExposed: row.is_exposed,
    target: host === null || port === null ? null : { host, port },
  });
  if (draft.success) return { ...draft.data, id: row.id, isOn: row.is_on };
  const [issue] = draft.error.issues;
  context.addIssue({
    code: 'custom',
    path: issue?.path ?? [],
    message: issue?.message ?? 'unreadable',
  });
  return z.NEVER;
});

const NOT_SAVED = 'The tunnel was not saved';

export function tunnelsTable(sql: Sql): TunnelsTable {
  return {
    list: (boxId) =>
      sql.read('The tunnels of the box could not be read', (connection) =>
        readRows(
          connection.rows(COLUMNS, 'tunnels WHERE box_id = ? ORDER BY seq', [boxId]),
          tunnelRow,
          'A tunnel',
        ),
      ),

    put: (boxId, tunnel) => {
      const kept = sql.write(NOT_SAVED, (connection) => upsert(connection, boxId, tunnel));
      if (!kept.ok) return kept;
      return kept.value === 'kept' ? ok(null) : noSuchBox();
    },

    remove: (boxId, tunnelId) => {
      const removed = sql.write('The tunnel was not removed', (connection) =>
        connection.run('DELETE FROM tunnels WHERE box_id = ? AND id = ?', [boxId, tunnelId]),
      );
      return removed.ok ? ok(null) : removed;
    },
  };
}

function upsert(connection: Connection, boxId: string, tunnel: Tunnel): 'kept' | 'no box' {
  const { id, name, kind, service, listenPort, isExposed, target, isOn } = tunnel;
  try {
    connection.run(
      `INSERT INTO tunnels (box_id, ${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind,
         service = excluded.service, listen_port = excluded.listen_port,
         is_exposed = excluded.is_exposed, target_host = excluded.target_host,
         target_port = excluded.target_port, is_on = excluded.is_on`,
      [
        boxId,
        id,
        name,
        kind,
        service,
        listenPort,
        Number(isExposed),
        target?.host ?? null,
        target?.port ?? null,
        Number(isOn),
      ],
    );
    return 'kept';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'no box';
    throw cause;
  }
}
