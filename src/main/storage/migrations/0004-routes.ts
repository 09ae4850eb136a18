import type { Migration } from '../migrations.ts';

/**
 * How a box is reached. Two boxes may share an address behind different jump hosts, so the route is part of what makes a
 * box one. The JSON columns are checked when they are read.
 */
export const routesMigration: Migration = {
  version: 4,
  sql: `
    CREATE TABLE routed_boxes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      user TEXT NOT NULL,
      route TEXT NOT NULL,
      login TEXT NOT NULL,
      options TEXT NOT NULL,
      added_at_ms INTEGER NOT NULL,
      UNIQUE (host, port, user, route)
    ) STRICT;
    INSERT INTO routed_boxes
      SELECT id, name, platform, host, port, user,
        '{"kind":"direct"}',
        json_object(
          'identityFiles',
            CASE WHEN identity_file IS NULL THEN json_array() ELSE json_array(identity_file) END,
          'certificateFiles', json_array(),
          -- A named key was the only one that was offered.
          'isOnlyIdentities', json(CASE WHEN identity_file IS NULL THEN 'false' ELSE 'true' END),
          'forwardAgent', json('false')
        ),
        '{"hostKeyAlias":null,"knownHostsFiles":[],"keepaliveEveryS":null,"configHost":null,"configDigest":null}',
        added_at_ms
      FROM boxes;
    DROP TABLE boxes;
    ALTER TABLE routed_boxes RENAME TO boxes;
  `,
};
