import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import type { Tunnel } from '../../shared/tunnels/tunnel.ts';
import { checkTunnel } from './check.ts';

it('keeps no socket of a far end that ended in order: one kept would hold the process at quit', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = openSockets();
  const tunnel: Tunnel = {
    id: 't1',
    name: 'web',
    kind: 'local',
    service: 'http',
    listenPort: (server.address() as AddressInfo).port,
    isExposed: false,
    isOn: true,
    target: { host: 'localhost', port: 80 },
  };
  const check = await checkTunnel({
    tunnel,
    openStream: () => Promise.reject(new Error('a local tunnel is asked from here')),
    signal: new AbortController().signal,
    now: Date.now,
    whyRefused: () => null,
  });
  expect(check.problem?.code).toBe('target-refused');
  server.close();
  await once(server, 'close');
  await vi.waitFor(() => expect(openSockets()).toBe(before));
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}
