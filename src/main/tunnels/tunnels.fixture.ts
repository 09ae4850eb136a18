import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Tunnel, TunnelDraft, TunnelRow } from '../../shared/tunnels/tunnel.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { BoxTunnels } from './box-tunnels.ts';
import { SESSION_STORE } from './tunnel-store.ts';

export function draft(more: Partial<TunnelDraft> = {}): TunnelDraft {
  return {
    name: 'service',
    kind: 'local',
    service: 'tcp',
    listenPort: 1,
    isExposed: false,
    target: { host: '127.0.0.1', port: 1 },
    ...more,
  };
}

/** A box's tunnels for this session; a problem that nobody asked for fails the test. */
export function openTunnels(hub: StreamHub): BoxTunnels {
  return new BoxTunnels({
    boxId: 'b1',
    hub,
    store: SESSION_STORE,
    log: { info: () => undefined },
    onProblem: (found) => {
      throw new Error(found.message);
    },
  });
}

/** Logs in to a server on the loopback, whatever key it shows. */
export async function connectTo(
  port: number,
  { user, privateKey }: { readonly user: string; readonly privateKey: string },
  onReceived: (bytes: number) => void = () => undefined,
): Promise<SshConnection> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    onReceived,
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.detail ?? ''}`);
  return opened.value;
}

/** Sockets that broke, however early: one may be reset before its test looks at it. */
const broken = new WeakSet<Socket>();

/** Everything a test starts on sockets, ended by one call. */
export class TestSockets {
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();

  /** A server on the loopback; what comes in is handed to the test. */
  async serve(onConnection: (socket: Socket) => void, port = 0): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      onConnection(this.#own(socket));
    });
    this.#servers.add(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async dial(port: number): Promise<Socket> {
    const socket = this.#own(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
    await once(socket, 'connect');
    return socket;
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) {
      server.close();
      await once(server, 'close');
    }
    this.#servers.clear();
  }

  #own(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => void broken.add(socket)); // resets are what several tests are about
    return socket;
  }
}

/** All that comes until the other side ends, and whether it was an orderly end. */
export async function readAll(
  socket: Socket,
): Promise<{ readonly bytes: Buffer; readonly isReset: boolean }> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.destroyed) {
    await new Promise<void>((resolve) => {
      socket.once('end', resolve);
      socket.once('close', () => resolve());
    });
  }
  return { bytes: Buffer.concat(chunks), isReset: broken.has(socket) };
}

/** Waits until the row satisfies; the test's own time limit ends a hopeless wait. */
export async function rowWhere(
  tunnels: BoxTunnels,
  { id }: Pick<Tunnel, 'id'>,
  isEnough: (row: TunnelRow) => boolean,
): Promise<TunnelRow> {
  for (;;) {
    const row = tunnels.rows.find(({ tunnel }) => tunnel.id === id);
    if (row !== undefined && isEnough(row)) return row;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether anybody listens there. */
export function isListening(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
