import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hash, HASHSIZE } from 'bcrypt-pbkdf';

export interface BcryptKeyOptions {
  readonly passphrase: string;
  readonly salt: Buffer;
  readonly rounds: number;
  /** How many bytes are wanted. */
  readonly bytes: number;
}

/**
 * OpenSSH's bcrypt_pbkdf. It is slow on purpose; here everything else has its turn after each round, where the library's
 * own function (and with it ssh2's key parser) holds up the whole process until the last. Null: the signal said to stop.
 */
export async function bcryptKey(
  { passphrase, salt, rounds, bytes }: BcryptKeyOptions,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const hashed = sha512(Buffer.from(passphrase));
  const key = Buffer.alloc(bytes);
  // The bytes of one block are spread over the whole key, so that none of it is cheaper than the rest.
  const blocks = Math.ceil(bytes / HASHSIZE);
  for (let block = 0; block < blocks; block += 1) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(block + 1);
    let hashedSalt = sha512(Buffer.concat([salt, number]));
    const sum = Buffer.alloc(HASHSIZE);
    const out = Buffer.alloc(HASHSIZE);
    for (let round = 0; round < rounds; round += 1) {
      hash(hashed, hashedSalt, out);
      for (const [i, byte] of out.entries()) sum.writeUInt8(sum.readUInt8(i) ^ byte, i);
      hashedSalt = sha512(out);
      await nextTurn();
      if (signal.aborted) return null;
    }
    for (let i = 0; i * blocks + block < bytes; i += 1) key[i * blocks + block] = sum.readUInt8(i);
  }
  return key;
}

function sha512(bytes: Buffer): Buffer {
  return createHash('sha512').update(bytes).digest();
}
