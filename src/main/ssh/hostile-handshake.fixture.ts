import { createDiffieHellmanGroup } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { field } from './wire-fields.ts';

const KEXINIT = 20;
const IGNORE = 2;
const NEWKEYS = 21;
/** The same number for the group of a group exchange and for the answer of any other one. */
const GROUP_OR_REPLY = 31;

const CURVE = 'curve25519-sha256';
const GROUP_EXCHANGE = 'diffie-hellman-group-exchange-sha256';

/** What a server that nobody trusts sends. It listens to nothing, so that no answer of ours can spare us anything. */
export interface HostileHandshake {
  readonly greeting?: string;
  readonly keyExchanges: string;
  readonly hostKeys?: string;
  /** Sent after its KEXINIT, whatever was agreed on. */
  readonly then?: readonly Buffer[];
}

/** Every way that we know in which a server could make a client work before anybody has trusted it. */
export function hostileHandshakes(): Readonly<Record<string, HostileHandshake>> {
  const proposing = (prime: Buffer, keyExchanges = GROUP_EXCHANGE): HostileHandshake => ({
    keyExchanges,
    then: [packet(GROUP_OR_REPLY, field(prime), field(Buffer.of(2)))],
  });
  const answering = (
    blob: Buffer,
    share: Buffer,
    { keyExchanges = CURVE, hostKeys = 'rsa-sha2-256' } = {},
  ): HostileHandshake => ({
    keyExchanges,
    hostKeys,
    then: [
      packet(
        GROUP_OR_REPLY,
        field(blob),
        field(share),
        field(Buffer.concat([field(hostKeys), field(Buffer.alloc(256, 1))])),
      ),
      packet(NEWKEYS),
    ],
  });
  const ordinary = rsaBlob(256);
  return {
    'a group of 8192 bits': proposing(createDiffieHellmanGroup('modp18').getPrime()),
    'a group of 16384 bits': proposing(odd(2048)),
    'an even number as prime': proposing(Buffer.alloc(1024, 0xfe)),
    'a tiny prime': proposing(Buffer.of(23)),
    'a composite prime': proposing(odd(256)),
    'a group that nobody agreed on': proposing(odd(1024), CURVE),
    'fixed groups only': {
      keyExchanges: [14, 15, 16, 17, 18]
        .map((group) => `diffie-hellman-group${group}-sha${group === 14 ? 256 : 512}`)
        .join(','),
    },
    'a share of 30 kB for X25519': answering(ordinary, odd(30_000)),
    'a share of 30 kB for P-521': answering(ordinary, odd(30_000), {
      keyExchanges: 'ecdh-sha2-nistp521',
    }),
    'a share of nothing but zeros': answering(ordinary, Buffer.alloc(30_000)),
    'an RSA key of 20000 bits': answering(rsaBlob(2500), odd(32)),
    'an RSA key of 65536 bits': answering(rsaBlob(8192), odd(32)),
    'an RSA key with an endless exponent': answering(rsaBlob(384, 384), odd(32)),
    'a list of 17000 names': { keyExchanges: `${'a,'.repeat(17_000)}${CURVE}` },
    'a greeting of 4 MB': { greeting: `${'x'.repeat(4000)}\r\n`.repeat(1000), keyExchanges: CURVE },
    'a greeting of 2000 empty lines': { greeting: '\r\n'.repeat(2000), keyExchanges: CURVE },
    'a greeting of one line without an end': { greeting: 'x'.repeat(9000), keyExchanges: CURVE },
    'half a million packets that say nothing': {
      keyExchanges: CURVE,
      then: [Buffer.alloc(8 << 20, packet(IGNORE, field('..')))],
    },
  };
}

export interface HostileServer {
  readonly port: number;
  /** The numbers of the messages that came on all connections, once those have ended. */
  messages(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export async function startHostileServer({
  greeting = '',
  keyExchanges,
  hostKeys = 'ssh-ed25519',
  then = [],
}: HostileHandshake): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const received: Promise<Buffer>[] = [];
  const both = (names: string): Buffer => Buffer.concat([field(names), field(names)]);
  const kexInit = packet(
    KEXINIT,
    Buffer.alloc(16), // the cookie
    field(keyExchanges),
    field(hostKeys),
    both('aes128-ctr'),
    both('hmac-sha2-256'),
    both('none'),
    both(''),
    Buffer.alloc(5), // no guess follows, and nothing for the future
  );
  const listener = createServer((socket) => {
    const chunks: Buffer[] = [];
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => sockets.delete(socket));
    received.push(
      new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks)))),
    );
    socket.end(Buffer.concat([Buffer.from(`${greeting}SSH-2.0-hostile\r\n`), kexInit, ...then]));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    messages: async () => (await Promise.all(received)).flatMap(messagesIn),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function packet(type: number, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat([Buffer.of(type), ...parts]);
  const padding = 4 + ((8 - ((payload.length + 9) % 8)) % 8);
  return field(Buffer.concat([Buffer.of(padding), payload, Buffer.alloc(padding)]));
}

function messagesIn(bytes: Buffer): readonly number[] {
  const types: number[] = [];
  let at = bytes.indexOf('\n') + 1;
  while (at > 0 && at + 6 <= bytes.length) {
    types.push(bytes.readUInt8(at + 5));
    at += 4 + bytes.readUInt32BE(at);
  }
  return types;
}

/** A large odd number of so many bytes. */
function odd(bytes: number): Buffer {
  return Buffer.alloc(bytes, 0x7f);
}

function rsaBlob(modulusBytes: number, exponentBytes = 3): Buffer {
  return Buffer.concat([field('ssh-rsa'), field(odd(exponentBytes)), field(odd(modulusBytes))]);
}
