import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { findPortHolder, listenerSockets, readLsof, readNetstat } from './port-holder.ts';

it.skipIf(process.platform === 'win32')('finds this very process by its listener', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await findPortHolder(port)).toMatchObject({ pid: process.pid });
  server.close();
  await once(server, 'close');
  expect(await findPortHolder(port)).toBeNull();
});

it('reads /proc/net/tcp: listeners only, this port only', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1776 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1',
    '   1: 0100007F:1776 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1',
    '   2: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1',
  ].join('\n');
  expect(listenerSockets(table, 6006)).toEqual(['socket:[4711]']);
});

it('reads lsof', () => {
  expect(readLsof('p4242\ncpython3.11\nf7\n')).toEqual({ pid: 4242, name: 'python3.11' });
  expect(readLsof('')).toBeNull();
});

it('reads netstat, in whatever language', () => {
  const text = [
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    0.0.0.0:16006          0.0.0.0:0              ABHÖREN         11',
    '  TCP    127.0.0.1:6006         127.0.0.1:50000        HERGESTELLT     12',
    '  TCP    127.0.0.1:6006         0.0.0.0:0              ABHÖREN         4242',
  ].join('\r\n');
  expect(readNetstat(text, 6006)).toBe(4242);
  expect(readNetstat(text, 7)).toBeNull();
});
