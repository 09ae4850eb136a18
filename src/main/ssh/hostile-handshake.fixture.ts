import { createDiffieHellmanGroup } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ProblemCode } from '../../shared/problem.ts';
import { field } from './wire-fields.ts';

const DISCONNECT = 1;
const IGNORE = 2;
const EXT_INFO = 7;
const KEXINIT = 20;
const NEWKEYS = 21;
/** The same number for the group of a group exchange and for the answer of any other one. */
const GROUP_OR_REPLY = 31;

const CURVE = 'curve25519-sha256';
const RSA = 'rsa-sha2-256';
const GROUP_EXCHANGE = 'diffie-hellman-group-exchange-sha256';

/** What a server that nobody trusts sends. It listens to nothing, so that no answer of ours can spare us anything. */
export interface HostileHandshake {
  readonly greeting?: string;
  readonly keyExchanges: string;
  readonly hostKeys?: string;
  readonly compressions?: string;
  /** How it ends although somebody would take any key. */
  readonly endsAs: ProblemCode;
  /** Sent after its KEXINIT, whatever was agreed on. */
  readonly then?: readonly Buffer[];
}

/** Every way that we know in which a server could make a client work before anybody has trusted it. */
export function hostileHandshakes(): Readonly<Record<string, HostileHandshake>> {
  const proposing = (prime: Buffer): HostileHandshake => ({
    keyExchanges: GROUP_EXCHANGE,
    endsAs: 'key-exchange-refused',
    then: [packet(GROUP_OR_REPLY, field(prime), field(Buffer.of(2)))],
  });
  const answering = (
    blob: Buffer,
    share: Buffer,
    endsAs: ProblemCode,
    keyExchanges = CURVE,
  ): HostileHandshake => ({
    keyExchanges,
    hostKeys: RSA,
    endsAs,
    then: [
      packet(
        GROUP_OR_REPLY,
        field(blob),
        field(share),
        field(Buffer.concat([field(RSA), field(Buffer.alloc(256, 1))])),
      ),
      packet(NEWKEYS),
    ],
  });
  const saying = (greeting: string): HostileHandshake => ({
    greeting,
    keyExchanges: CURVE,
    endsAs: 'key-exchange-refused',
  });
  const sending = (endsAs: ProblemCode, ...then: readonly Buffer[]): HostileHandshake => ({
    keyExchanges: CURVE,
    endsAs,
    then,
  });
  const ordinary = rsaBlob(256);
  return {
    'a group of 8192 bits': proposing(createDiffieHellmanGroup('modp18').getPrime()),
    'a group of 16384 bits': proposing(odd(2048)),
    'an even number as prime': proposing(Buffer.alloc(1024, 0xfe)),
    'a tiny prime': proposing(Buffer.of(23)),
    'a composite prime': proposing(odd(256)),
    'a group that nobody agreed on': {
      ...proposing(odd(1024)),
      keyExchanges: CURVE,
      endsAs: 'host-key-unusable',
    },
    'fixed groups only': {
      keyExchanges: [14, 15, 16, 17, 18]
        .map((group) => `diffie-hellman-group${group}-sha${group === 14 ? 256 : 512}`)
        .join(','),
      endsAs: 'key-exchange-refused',
    },
    'a share of 30 kB for X25519': answering(ordinary, odd(30_000), 'link-lost'),
    'a share of 30 kB for P-521': answering(
      ordinary,
      odd(30_000),
      'link-lost',
      'ecdh-sha2-nistp521',
    ),
    'a share of nothing but zeros': answering(ordinary, Buffer.alloc(30_000), 'link-lost'),
    'an RSA key of 20000 bits': answering(rsaBlob(2500), odd(32), 'host-key-unusable'),
    'an RSA key of 65536 bits': answering(rsaBlob(8192), odd(32), 'host-key-unusable'),
    'an RSA key with an endless exponent': answering(
      rsaBlob(384, 384),
      odd(32),
      'host-key-unproven',
    ),
    'a list of 17000 names': {
      keyExchanges: `${'a,'.repeat(17_000)}${CURVE}`,
      endsAs: 'link-lost',
    },
    'nothing but what is packed': {
      keyExchanges: CURVE,
      compressions: 'zlib,zlib@openssh.com',
      endsAs: 'key-exchange-refused',
    },
    'a greeting of 4 MB': saying(`${'x'.repeat(4000)}\r\n`.repeat(1000)),
    'a greeting of 2000 empty lines': saying('\r\n'.repeat(2000)),
    'a greeting of one line without an end': saying('x'.repeat(9000)),
    'half a million packets that say nothing': sending(
      'key-exchange-refused',
      Buffer.alloc(8 << 20, packet(IGNORE, field('..'))),
    ),
    'a farewell of 30 kB before its key': sending(
      'link-lost',
      packet(DISCONNECT, Buffer.alloc(4, 2), field('\u202e\u001b[31m'.repeat(3750)), field('')),
    ),
    'what it can sign before its key': sending(
      'link-lost',
      packet(EXT_INFO, Buffer.of(0, 0, 0, 1), field('server-sig-algs'), field('a,'.repeat(17_000))),
    ),
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
  compressions = 'none',
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
    both(compressions),
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
