import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bcryptKey } from './bcrypt-key.ts';
import { readIdentityFile, type LockedKey } from './identity-file.ts';
import { readSealedKey, renderOpenSshKey } from './openssh-key.ts';
import { parsePublicKey } from './signer.ts';
import { field } from './wire-fields.ts';

const PASSPHRASE = 'open sésame';
const DATA = Buffer.from('what is signed');
const signal = new AbortController().signal;

describe('a private key in OpenSSH’s own format, with a passphrase', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leasehold-key-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function makeKey(...more: readonly string[]): string {
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-N', PASSPHRASE, '-f', file, ...more]);
    return file;
  }

  async function locked(file: string): Promise<LockedKey> {
    const identity = await readIdentityFile(file);
    if (identity.kind !== 'locked') throw new Error(JSON.stringify(identity));
    return identity.key;
  }

  it.each([
    ['ed25519', 'aes256-ctr'],
    ['ed25519', 'aes128-ctr'],
    ['ed25519', 'aes192-cbc'],
    ['ed25519', 'aes256-gcm@openssh.com'],
    ['ed25519', '3des-cbc'],
    ['ecdsa', 'aes256-ctr'],
    ['rsa', 'aes256-ctr'],
  ])('is opened by its passphrase and by no other: %s, %s', async (type, cipher) => {
    const file = makeKey('-t', type, '-Z', cipher, '-a', '2');
    const key = await locked(file);
    const opened = await key.unlock(PASSPHRASE, signal);
    const publicKey = parsePublicKey(readFileSync(`${file}.pub`, 'utf8'));
    const signature = opened?.sign(DATA) as Buffer;
    expect(publicKey?.verify(DATA, signature)).toBe(true);
    expect(key.publicKey?.getPublicSSH()).toEqual(publicKey?.getPublicSSH());
    expect(await key.unlock('open sesame', signal)).toBeNull();
    expect(await key.unlock('', signal)).toBeNull();
  });

  it('lets everything else have its turn while it is opened, after each round', async () => {
    const rounds = 16;
    const key = await locked(makeKey('-t', 'ed25519', '-a', String(rounds)));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await key.unlock(PASSPHRASE, signal)).not.toBeNull();
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(rounds);
  });

  it('is not opened any further once it is stopped', async () => {
    const stopper = new AbortController();
    // A minute's work.
    const options = { passphrase: 'a', salt: Buffer.from('b'), rounds: 4000, bytes: 48 };
    const opening = bcryptKey(options, stopper.signal);
    setImmediate(() => stopper.abort());
    expect(await opening).toBeNull();
  });

  it('says why it cannot be opened with any passphrase', async () => {
    const file = makeKey('-t', 'ed25519', '-a', '1');
    const text = readFileSync(file, 'utf8');
    const unusable = async (from: Buffer, to: Buffer): Promise<unknown> => {
      writeFileSync(file, replaced(text, from, to));
      return readIdentityFile(file);
    };
    const rounds = (count: number): Buffer => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(count);
      return Buffer.concat([bytes, Buffer.from([0, 0, 0, 1])]);
    };
    expect(await unusable(rounds(1), rounds(4001))).toEqual({
      kind: 'unusable',
      because: 'takes 4001 rounds of bcrypt to open; Leasehold does 4000 at most',
    });
    expect(await unusable(rounds(1), rounds(0))).toMatchObject({ because: 'is damaged' });
    expect(await unusable(field('aes256-ctr'), field('chacha20-poly1305@openssh.com'))).toEqual({
      kind: 'unusable',
      because:
        'is sealed with chacha20-poly1305@openssh.com and bcrypt, which Leasehold does not know',
    });
  });

  it.each(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'])(
    'is named where it is only the handle of a hardware key: %s',
    async (type) => {
      const file = makeKey('-t', 'ed25519', '-a', '1');
      const text = readFileSync(file, 'utf8');
      const plain = parsePublicKey(readFileSync(`${file}.pub`, 'utf8'))?.getPublicSSH();
      if (plain === undefined) throw new Error('ssh-keygen made no key');
      const point = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]);
      const own = type.includes('ecdsa')
        ? [field('nistp256'), field(point)]
        : [field(Buffer.alloc(32, 7))];
      const handle = Buffer.concat([field(type), ...own, field('ssh:')]);
      const line = `${type} ${handle.toString('base64')} me\n`;
      if (!type.includes('ecdsa')) {
        // What OpenSSH itself takes it for; its check of a curve's point would want a real one.
        writeFileSync(`${file}.pub`, line);
        const said = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' });
        expect(said).toContain('ED25519-SK');
      }
      const texts = [
        line,
        replaced(text, field(plain), field(handle)),
        renderOpenSshKey(handle, Buffer.alloc(8)),
      ];
      for (const each of texts) {
        writeFileSync(file, each);
        expect(await readIdentityFile(file)).toEqual({
          kind: 'unusable',
          because: expect.stringContaining('hardware key (FIDO)'),
        });
      }
    },
  );

  it('is read without harm wherever it is cut and whatever is in it', () => {
    const text = readFileSync(makeKey('-t', 'ed25519', '-a', '1'), 'utf8');
    const bytes = bytesOf(text);
    const kinds = new Set<string>();
    for (let at = 0; at < bytes.length; at += 1) {
      const cut = readSealedKey(textOf(bytes.subarray(0, at)));
      expect(cut, `cut at ${at}`).toBe('is damaged');
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      kinds.add(typeof readSealedKey(textOf(changed)));
    }
    // Its salt and its sealed half are anything.
    expect([...kinds].sort()).toEqual(['object', 'string']);
  });
});

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----.*-----/g, ''), 'base64');
}

function textOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [''];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function replaced(text: string, from: Buffer, to: Buffer): string {
  const bytes = bytesOf(text);
  const at = bytes.indexOf(from);
  return textOf(Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)]));
}
