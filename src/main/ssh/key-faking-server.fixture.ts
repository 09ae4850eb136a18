import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ssh2, { type Connection } from 'ssh2';
import { anotherHostKey } from './login-server.fixture.ts';

/** What ssh2's server keeps to itself; the tests make it lie. */
interface Inside {
  readonly _protocol: { _hostKeys: Record<string, FakedKey> };
}
interface FakedKey {
  type: string;
  getPublicSSH(): Buffer;
  sign(data: Buffer, algorithm?: string): Buffer | Error;
}

/** A server that shows whatever key it is told to, and lets everybody in who still comes. */
export interface KeyFakingServer {
  readonly port: number;
  /** How many TCP connections came so far. */
  connections(): number;
  /** How many got so far as to send a user name. */
  logins(): number;
  /** Later connections, and later key exchanges, meet this. */
  show(change: (key: FakedKey) => FakedKey): void;
  /** Begins a key exchange in the middle of every open connection. */
  rekey(): void;
  stop(): Promise<void>;
}

export async function startKeyFakingServer(): Promise<KeyFakingServer> {
  let change: (key: FakedKey) => FakedKey = (key) => key;
  let logins = 0;
  let connections = 0;
  const open = new Set<Connection>();
  const sockets = new Set<Socket>();
  const server = new ssh2.Server({ hostKeys: [anotherHostKey()] });
  server.on('connection', (client) => {
    open.add(client);
    const inside = (client as unknown as Inside)._protocol;
    const own = inside._hostKeys;
    inside._hostKeys = new Proxy(own, {
      get: (keys, type: string) => (keys[type] === undefined ? undefined : change(keys[type])),
    });
    client.on('error', () => undefined);
    client.on('close', () => open.delete(client));
    client.on('authentication', (attempt) => {
      logins += 1;
      attempt.accept();
    });
  });
  const listener = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    connections: () => connections,
    logins: () => logins,
    show: (next) => (change = next),
    rekey: () => {
      for (const client of open) client.rekey();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Another key of the same type, with its own signatures: a machine that took the place of the first. */
export function anotherKey(): FakedKey {
  const parsed = ssh2.utils.parseKey(anotherHostKey());
  if (parsed instanceof Error) throw parsed;
  return parsed;
}

/** The key's public half says this instead. */
export function withBlob(key: FakedKey, blob: Buffer): FakedKey {
  return new Proxy(key, {
    get: (target, name) => {
      if (name === 'getPublicSSH') return () => blob;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A public key blob of that type with so many bytes of nothing. */
export function blobOf(type: string, bytes: number): Buffer {
  const name = Buffer.from(type);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(name.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return Buffer.concat([head, name, length, Buffer.alloc(bytes, 1)]);
}
