import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tunnel } from '../../shared/tunnels/tunnel.ts';
import { addBoxes } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

const ids = [1, 2].map((n) => `9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a0${n}`);

function tunnel(part: Partial<Tunnel> = {}): Tunnel {
  return {
    id: ids[0] ?? '',
    name: 'curves',
    kind: 'local',
    service: 'http',
    listenPort: 6006,
    isExposed: false,
    target: { host: '127.0.0.1', port: 6006 },
    isOn: true,
    ...part,
  };
}

describe('the tunnels table', () => {
  it('keeps tunnels in order over a restart, and a changed one in its place', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const [box = ''] = addBoxes(database, 0, 1);
      const proxy = tunnel({ id: ids[1] ?? '', kind: 'dynamic', service: 'tcp', target: null });
      database.tunnels.put(box, tunnel());
      database.tunnels.put(box, proxy);
      database.tunnels.put(box, tunnel({ name: 'renamed', isOn: false }));
      database.close();
      const again = openDatabase({ folder }).database;
      expect(again.tunnels.list(box)).toEqual({
        ok: true,
        value: { rows: [tunnel({ name: 'renamed', isOn: false }), proxy], unreadable: [] },
      });
      again.tunnels.remove(box, proxy.id);
      expect(again.tunnels.list(box)).toMatchObject({ value: { rows: { length: 1 } } });
      again.close();
    }));

  it('forgets them with their box, and keeps none for a box that is not there', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const [box = ''] = addBoxes(database, 0, 1);
      database.tunnels.put(box, tunnel());
      database.boxes.forget(box);
      expect(database.tunnels.list(box)).toMatchObject({ value: { rows: [] } });
      expect(database.tunnels.put(box, tunnel())).toMatchObject({
        ok: false,
        error: { code: 'no-such-box' },
      });
      database.close();
    }));

  it.each([
    ['a port that is none', 'listen_port = 70000'],
    ['a host that would be an option', "target_host = '-oProxyCommand=x'"],
    ['a kind that nobody knows', "kind = 'magic'"],
    ['a flag that is neither', 'is_exposed = 2'],
  ])('opens nothing from a row with %s, and says so', (_what, change) =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const [box = ''] = addBoxes(database, 0, 1);
      database.tunnels.put(box, tunnel());
      database.close();
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      file.exec(`UPDATE tunnels SET ${change}`);
      file.close();
      const again = openDatabase({ folder }).database;
      expect(again.tunnels.list(box)).toMatchObject({
        value: { rows: [], unreadable: [{ code: 'database-corrupt' }] },
      });
      again.close();
    }),
  );
});
