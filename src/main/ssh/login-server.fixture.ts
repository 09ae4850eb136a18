import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection, type Session } from 'ssh2';

/** A server whose log-in is scripted: for what no real sshd would do, or only with accounts that a test cannot make. */
export interface LoginServer {
  readonly port: number;
  /** One entry for each request, as `method` or `method:what was given`, over all connections. */
  readonly seen: string[];
  /** Connections that are open now, and how many there ever were. */
  readonly open: ReadonlySet<Connection>;
  readonly count: () => number;
  /** Cuts every connection, as a server does whose patience is over. */
  hangUp(): void;
  stop(): Promise<void>;
}

export type LoginScript = (context: AuthContext, server: LoginServer) => void;

/** What becomes of a request for a session; neither accepted nor rejected, it stays unanswered. */
export type SessionScript = (
  accept: () => Session,
  reject: () => void,
  client: Connection,
  server: LoginServer,
) => void;

/** The key of all servers that are given no other: whoever knows one of them knows them all. */
export const TEST_HOST_KEY = anotherHostKey();

/** Of a curve: looking for the primes of an RSA key takes longer than most tests. */
export function anotherHostKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  }).privateKey;
}

/** Ends every command at once, and well. */
const runsNothing: SessionScript = (accept) => {
  accept().on('exec', (acceptExec) => {
    const channel = acceptExec();
    channel.exit(0);
    channel.end();
  });
};

export async function startLoginServer(
  script: LoginScript,
  onSession: SessionScript = runsNothing,
  { hostKey = TEST_HOST_KEY, port = 0 } = {},
): Promise<LoginServer> {
  const open = new Set<Connection>();
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  let count = 0;
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    count += 1;
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => undefined); // the client may well reset it
    client.on('authentication', (context) => {
      seen.push(describe(context));
      script(context, handle);
    });
    client.on('session', (accept, reject) => onSession(accept, reject, client, handle));
  });
  // ssh2's own server keeps the sockets to itself; cutting them is what a killed sshd does.
  (
    server as unknown as { _srv: { on(event: string, listen: (socket: Socket) => void): void } }
  )._srv.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const handle: LoginServer = {
    port: (server.address() as AddressInfo).port,
    seen,
    open,
    count: () => count,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = new Promise((resolve) => server.close(resolve));
      await closed;
    },
  };
  return handle;
}

function describe(context: AuthContext): string {
  if (context.method === 'password') return `password:${context.password}`;
  if (context.method === 'publickey') {
    return context.signature === undefined ? 'publickey:asked' : 'publickey:signed';
  }
  return context.method;
}
