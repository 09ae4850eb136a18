// A network that is far away: every byte arrives so much later, and as many as want to are on their way at a time. Or one that is slow:
// only so many bytes pass in a second.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

function carry(from: Socket, to: Socket, delayMs: number, bytesPerS: number): void {
  let freeAtMs = 0;
  from.on('data', (chunk: Buffer) => {
    setTimeout(() => to.write(chunk), delayMs);
    if (bytesPerS === Infinity) return;
    const nowMs = performance.now();
    freeAtMs = Math.max(freeAtMs, nowMs) + (chunk.length / bytesPerS) * 1000;
    from.pause();
    setTimeout(() => from.resume(), freeAtMs - nowMs);
  });
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  from.on('error', () => from.destroy());
}

export async function startDelayingProxy(
  targetPort: number,
  oneWayMs: number,
  bytesPerS = Infinity,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    carry(near, far, oneWayMs, bytesPerS);
    carry(far, near, oneWayMs, bytesPerS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
