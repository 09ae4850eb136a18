import { createServer, type Socket } from 'node:net';
import type { Signer } from './signer.ts';
import { field, readField } from './wire-fields.ts';

export interface KeyAgent {
  close(): void;
}

// draft-miller-ssh-agent: a length, a type, a body.
const REQUEST_IDENTITIES = 11;
const IDENTITIES_ANSWER = 12;
const SIGN_REQUEST = 13;
const SIGN_RESPONSE = 14;
const FAILURE = 5;
const RSA_SHA2_256 = 2;
const RSA_SHA2_512 = 4;
/** What is signed is a login request of a few hundred bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** The types whose raw signature is what the protocol carries; others would need converting and are left to the link. */
const SERVED_TYPES = ['ssh-ed25519', 'ssh-rsa'];

/**
 * An SSH agent for one key on a socket in a folder that only this user can enter. So a system ssh can log in with a key
 * that stays in our memory: neither the key nor its passphrase is ever in a file or on a command line. Answers null where
 * the key cannot be served. (ssh2's own AgentProtocol trips over the extension messages that OpenSSH sends since 8.9.)
 */
export async function serveKey(signer: Signer, socketPath: string): Promise<KeyAgent | null> {
  if (!SERVED_TYPES.includes(signer.publicKey.type)) return null;
  const server = createServer((socket) => serveClient(socket, signer));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return { close: () => void server.close() };
}

function serveClient(socket: Socket, signer: Signer): void {
  let seen: Buffer = Buffer.alloc(0);
  // In the order in which they were asked, which is how the protocol pairs them.
  let answered: Promise<unknown> = Promise.resolve();
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    while (seen.length >= 4) {
      const end = 4 + seen.readUInt32BE(0);
      if (end > MAX_MESSAGE_BYTES) socket.destroy();
      if (end > seen.length || end > MAX_MESSAGE_BYTES) return;
      const message = Buffer.from(seen.subarray(4, end));
      answered = answered.then(async () => socket.write(field(await answer(message, signer))));
      seen = seen.subarray(end);
    }
  });
}

async function answer(message: Buffer, signer: Signer): Promise<Buffer> {
  const own = signer.publicKey.getPublicSSH();
  switch (message[0]) {
    case REQUEST_IDENTITIES:
      return Buffer.concat([
        Buffer.from([IDENTITIES_ANSWER, 0, 0, 0, 1]),
        field(own),
        field('leasehold'),
      ]);
    case SIGN_REQUEST: {
      const [wanted, data, rest] = readTwo(message.subarray(1));
      if (wanted?.equals(own) !== true || data === null || rest.length < 4) return failure();
      return sign(signer, data, rest.readUInt32BE(0));
    }
    default:
      return failure();
  }
}

async function sign(signer: Signer, data: Buffer, flags: number): Promise<Buffer> {
  const { publicKey } = signer;
  const isRsa = publicKey.type === 'ssh-rsa';
  const hash = (flags & RSA_SHA2_512) !== 0 ? 'sha512' : 'sha256';
  // SHA-1 signatures are refused: no server of today needs them.
  if (isRsa && (flags & (RSA_SHA2_256 | RSA_SHA2_512)) === 0) return failure();
  const signature = await signer.sign(data, isRsa ? hash : undefined).catch(() => null);
  if (signature === null) return failure(); // ssh then says that it could not log in
  const algorithm = isRsa ? `rsa-sha2-${hash.slice(3)}` : publicKey.type;
  const blob = Buffer.concat([field(algorithm), field(signature)]);
  return Buffer.concat([Buffer.from([SIGN_RESPONSE]), field(blob)]);
}

function readTwo(body: Buffer): [Buffer | null, Buffer | null, Buffer] {
  const [first, afterFirst] = readField(body);
  const [second, rest] = readField(afterFirst);
  return [first, second, rest];
}

const failure = (): Buffer => Buffer.from([FAILURE]);
