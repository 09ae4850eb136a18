import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { isReachable, listeningRows, ownedAt } from './port-owner.ts';

// Columns as Linux prints them in /proc/net/tcp and tcp6.
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41001 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 41002 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:01F9 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 41003 1 0000000000000000 100 0 0 10 0
`;

it('finds listening sockets with their ports, and no connections', () => {
  expect(listeningRows(TABLE)).toMatchObject([
    { port: 8080, answersAt: ['127.0.0.1'], socket: 'socket:[41001]' },
    { port: 505, answersAt: ['::1'], socket: 'socket:[41003]' },
  ]);
});

const ALL_6 = '0'.repeat(32);
it.each([
  ['all of IPv4', '00000000', '0100007F', false],
  ['all of IPv4, beside another’s of IPv6', '00000000', ALL_6, false],
  ['all of IPv6', ALL_6, '0100007F', true],
  ['an address beside 127.0.0.1', '0200007F', null, false],
  ['127.0.0.1 by IPv6', '0000000000000000FFFF00000100007F', '0200007F', true],
  ['127.0.0.1 by IPv6, which another has', '0000000000000000FFFF00000100007F', '0100007F', false],
])('knows whether a tunnel reaches %s', (_what, own, foreign, isReached) => {
  const line = (address: string, inode: number): string =>
    `0: ${address}:1F90 ${address}:0000 0A 00000000:00000000 00:00000000 00000000 0 0 ${inode} 1\n`;
  const rows = listeningRows(line(own, 1) + (foreign === null ? '' : line(foreign, 2)));
  const held = new Set(['socket:[1]']);
  expect(rows.map((row) => isReachable(row, rows, held))).toEqual(
    rows.map(({ socket }) => isReached && held.has(socket)),
  );
});

it.runIf(process.platform === 'linux')(
  'is never a port of the app’s own, which a process of the box may have inherited',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const everyone = () => Promise.resolve(true);
    expect(await ownedAt(port, everyone)).toEqual([]);
    server.close();
  },
);
