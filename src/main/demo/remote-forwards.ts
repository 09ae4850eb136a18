import { createServer, type Server, type Socket } from 'node:net';
import type { Connection } from 'ssh2';

const LOOPBACK = '127.0.0.1';
/** What clients may ask for and mean the loopback. */
const LOOPBACK_NAMES = [LOOPBACK, 'localhost'];
const MAX_LISTENERS = 10;

/** Listens on the box for a client (`ssh -R`). The box is this machine, so its ports are this machine's. */
export function serveRemoteForwards(client: Connection, gone: AbortSignal): void {
  const listeners = new Map<string, Server>();
  const sockets = new Set<Socket>();

  const listen = (
    bindAddr: string,
    bindPort: number,
    done: (port: number | null) => void,
  ): void => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      lead(client, socket, bindAddr, bindPort);
    });
    server.once('error', () => done(null));
    // SECURITY: the loopback only, whatever is asked for.
    server.listen({ host: LOOPBACK, port: bindPort }, () => {
      const address = server.address();
      listeners.set(keyOf(bindAddr, bindPort), server);
      done(typeof address === 'object' && address !== null ? address.port : bindPort);
    });
  };

  client.on('request', (accept, reject, name, info) => {
    const { bindAddr, bindPort } = info;
    const key = keyOf(bindAddr, bindPort);
    if (name === 'cancel-tcpip-forward') {
      const known = listeners.get(key);
      listeners.delete(key);
      if (known === undefined) reject?.();
      else known.close(() => accept?.());
      return;
    }
    const isAllowed =
      name === 'tcpip-forward' &&
      LOOPBACK_NAMES.includes(bindAddr) &&
      bindPort > 0 &&
      !listeners.has(key) &&
      listeners.size < MAX_LISTENERS;
    if (!isAllowed) reject?.();
    else listen(bindAddr, bindPort, (port) => (port === null ? reject?.() : accept?.()));
  });
  gone.addEventListener('abort', () => {
    for (const server of listeners.values()) server.close();
    for (const socket of sockets) socket.destroy();
    listeners.clear();
  });
}

function keyOf(host: string, port: number): string {
  return `${host}:${port}`;
}

function lead(client: Connection, socket: Socket, bindAddr: string, bindPort: number): void {
  socket.on('error', () => socket.destroy());
  socket.pause();
  const { remoteAddress = LOOPBACK, remotePort = 0 } = socket;
  client.forwardOut(bindAddr, bindPort, remoteAddress, remotePort, (cause, channel) => {
    if (cause !== undefined || socket.destroyed) {
      socket.destroy();
      return;
    }
    socket.on('close', () => channel.end());
    channel.on('close', () => socket.destroy());
    socket.pipe(channel);
    channel.pipe(socket);
  });
}
