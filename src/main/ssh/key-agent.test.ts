import { connect } from 'node:net';
import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { serveKey } from './key-agent.ts';
import { makeReadableKeyPair } from './readable-key-pair.ts';
import { fileSigner } from './signer.ts';
import { field } from './wire-fields.ts';

const SIGN_REQUEST = 13;
const SIGN_RESPONSE = 14;
const FAILURE = [0, 0, 0, 1, 5];
const WITH_SHA_512 = Buffer.of(0, 0, 0, 4);
const WITH_SHA_1 = Buffer.alloc(4);

/** What the agent of this key says to a message; nothing: it has hung up. */
function ask(key: ParsedKey, message: Buffer): Promise<readonly number[]> {
  return withFolder(async (folder) => {
    const path = join(folder, 'agent');
    const agent = await serveKey(fileSigner(key, 'a key'), path);
    const socket = connect(path).on('error', () => undefined);
    try {
      socket.write(field(message));
      return await new Promise((resolve) => {
        socket.once('data', (said: Buffer) => resolve([...said])).once('close', () => resolve([]));
      });
    } finally {
      socket.destroy();
      agent?.close();
    }
  });
}

const toSign = (key: ParsedKey, flags: Buffer): Buffer =>
  Buffer.concat([Buffer.of(SIGN_REQUEST), field(key.getPublicSSH()), field('any'), flags]);

it('signs with its own key and no other', async () => {
  const [own, other] = [makeReadableKeyPair().parsed, makeReadableKeyPair().parsed];
  expect((await ask(own, toSign(own, WITH_SHA_512)))[4]).toBe(SIGN_RESPONSE);
  expect(await ask(own, toSign(other, WITH_SHA_512))).toEqual(FAILURE);
});

it('signs nothing with SHA-1', async () => {
  const key = ssh2.utils.parseKey(
    ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private,
  ) as ParsedKey;
  expect((await ask(key, toSign(key, WITH_SHA_512)))[4]).toBe(SIGN_RESPONSE);
  expect(await ask(key, toSign(key, WITH_SHA_1))).toEqual(FAILURE);
});

it('hangs up on a message that is longer than any log-in', async () => {
  const key = makeReadableKeyPair().parsed;
  expect(await ask(key, Buffer.alloc(60 * 1024))).toEqual(FAILURE);
  expect(await ask(key, Buffer.alloc(64 * 1024))).toEqual([]);
});
