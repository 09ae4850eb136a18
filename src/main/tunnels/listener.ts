import { createServer, type Socket } from 'node:net';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PortHolder } from '../../shared/tunnels/tunnel.ts';
import { prepare } from './join.ts';
import { findPortHolder } from './port-holder.ts';

export const LOOPBACK = '127.0.0.1';
const EVERYWHERE = '0.0.0.0';

/** One tunnel never holds more: a program gone wild must not take every socket of this machine. */
const MAX_CONNECTIONS = 1000;
/** How far from the wanted port a free one is looked for; people remember neighbours. */
const NEIGHBOURS = 20;

export interface Listener {
  /** Frees the port at once and cuts what is connected. */
  close(): Promise<void>;
}

export type ListenFailure =
  | { readonly kind: 'taken'; readonly holder: PortHolder | null; readonly freePort: number | null }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** SECURITY: on the loopback unless the person insisted on more for this very tunnel. */
export async function listenHere(
  port: number,
  isExposed: boolean,
  onConnection: (socket: Socket) => void,
): Promise<Result<Listener, ListenFailure>> {
  const host = isExposed ? EVERYWHERE : LOOPBACK;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    onConnection(prepare(socket));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const failed = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => resolve(null));
  });
  if (failed !== null) return err(await explain(failed, port, host));
  // After this only accepting can fail (no file left to open): that connection is lost, the tunnel is not.
  server.on('error', () => undefined);
  return ok({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
}

async function explain(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  host: string,
): Promise<ListenFailure> {
  if (code === 'EADDRINUSE') {
    const [holder, freePort] = await Promise.all([findPortHolder(port), findFreePort(port, host)]);
    return { kind: 'taken', holder, freePort };
  }
  if (code === 'EACCES') {
    const text = `This system does not let Leasehold listen on port ${String(port)}.`;
    return { kind: 'failed', problem: problem('port-not-allowed', text, { detail: message }) };
  }
  return {
    kind: 'failed',
    problem: problem('tunnel-not-open', `Leasehold cannot listen on port ${String(port)}.`, {
      nextStep: 'Choose another port.',
      detail: message,
    }),
  };
}

/** The next port on which nobody listens, or null when none was found nearby. */
export async function findFreePort(after: number, host = LOOPBACK): Promise<number | null> {
  for (let port = after + 1; port <= Math.min(after + NEIGHBOURS, 65535); port += 1) {
    if (await isFree(port, host)) return port;
  }
  return null;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
