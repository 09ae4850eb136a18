import { createDecipheriv, getCipherInfo, type CipherGCMTypes } from 'node:crypto';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { bcryptKey } from './bcrypt-key.ts';
import { field, readField } from './wire-fields.ts';

const MAGIC = Buffer.from('openssh-key-v1\0');
const ONE_KEY = Buffer.from([0, 0, 0, 1]);
const TAG_BYTES = 16;
const TEXT = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/;

/** About a minute on a slow machine; OpenSSH makes keys with 16 or 24. */
const MAX_ROUNDS = 4000;

/** A private key in OpenSSH's own format (PROTOCOL.key): the public half in clear, the private one sealed. */
export interface SealedKey {
  readonly publicBlob: Buffer;
  readonly cipher: { readonly name: string; readonly keyBytes: number; readonly ivBytes: number };
  readonly salt: Buffer;
  readonly rounds: number;
  readonly sealed: Buffer;
  /** Behind the private half, for ciphers that have one. */
  readonly tag: Buffer;
}

/** A text: why no passphrase opens it. Null: another format. */
export function readSealedKey(text: string): SealedKey | string | null {
  const body = TEXT.exec(text)?.[1];
  if (body === undefined) return null;
  const parts = readParts(Buffer.from(body, 'base64'));
  if (parts === null) return 'is damaged';
  const { publicBlob, sealed, tag } = parts;
  const cipher = parts.cipher.toString('latin1');
  const kdf = parts.kdf.toString('latin1');
  const name = nodeCipher(cipher);
  const info = getCipherInfo(name);
  if (info?.ivLength === undefined || kdf !== 'bcrypt') {
    const how = plainLine(`${cipher} and ${kdf}`, 80);
    return `is sealed with ${how}, which Leasehold does not know`;
  }
  const [salt, rest] = readField(parts.kdfOptions);
  const isWhole = sealed.length % (info.blockSize ?? 1) === 0;
  const hasTag = tag.length === (isTagged(name) ? TAG_BYTES : 0);
  const rounds = rest.length === 4 ? rest.readUInt32BE(0) : 0;
  if (salt === null || salt.length === 0 || rounds === 0 || !isWhole || !hasTag) {
    return 'is damaged';
  }
  if (rounds > MAX_ROUNDS) {
    return `takes ${rounds} rounds of bcrypt to open; Leasehold does ${MAX_ROUNDS} at most`;
  }
  const sizes = { keyBytes: info.keyLength, ivBytes: info.ivLength };
  return { publicBlob, cipher: { name, ...sizes }, salt, rounds, sealed, tag };
}

const HARDWARE = /^sk-(?:ssh|ecdsa)-/;

/**
 * Whether a key, private or public, lives in a FIDO token: then the file is only a handle for it, and a passphrase or a
 * touch belongs to the token. ssh2 (1.17) has no such types; of what an agent holds it drops them.
 */
export function isHardwareKey(text: string): boolean {
  const body = TEXT.exec(text)?.[1];
  if (body === undefined) return HARDWARE.test(text);
  const parts = readParts(Buffer.from(body, 'base64'));
  const type = parts === null ? null : readField(parts.publicBlob)[0];
  return HARDWARE.test(type?.toString('latin1') ?? '');
}

/** Magic, cipher, kdf, its options, how many keys (OpenSSH writes one), public half, private half. */
function readParts(bytes: Buffer) {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const [cipher, afterCipher] = readField(bytes.subarray(MAGIC.length));
  const [kdf, afterKdf] = readField(afterCipher);
  const [kdfOptions, afterOptions] = readField(afterKdf);
  if (!afterOptions.subarray(0, ONE_KEY.length).equals(ONE_KEY)) return null;
  const [publicBlob, afterPublic] = readField(afterOptions.subarray(ONE_KEY.length));
  const [sealed, tag] = readField(afterPublic);
  if (cipher === null || kdf === null || kdfOptions === null) return null;
  if (publicBlob === null || sealed === null) return null;
  return { cipher, kdf, kdfOptions, publicBlob, sealed, tag };
}

/** The format without a passphrase. `inner`: two equal numbers, the key's own fields, its comment. */
export function renderOpenSshKey(publicBlob: Buffer, inner: Buffer): string {
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7]).subarray(0, (8 - (inner.length % 8)) % 8);
  const whole = Buffer.concat([
    MAGIC,
    field('none'),
    field('none'),
    field(''),
    ONE_KEY,
    field(publicBlob),
    field(Buffer.concat([inner, padding])),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

/** The key without its passphrase, in memory only; null where that is wrong, or the signal said to stop. */
export async function unseal(
  { publicBlob, cipher, salt, rounds, sealed, tag }: SealedKey,
  passphrase: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { name, keyBytes, ivBytes } = cipher;
  const derived = await bcryptKey({ passphrase, salt, rounds, bytes: keyBytes + ivBytes }, signal);
  if (derived === null) return null;
  const [secret, iv] = [derived.subarray(0, keyBytes), derived.subarray(keyBytes)];
  if (!isTagged(name)) {
    const decipher = createDecipheriv(name, secret, iv).setAutoPadding(false);
    const inner = Buffer.concat([decipher.update(sealed), decipher.final()]);
    return renderOpenSshKey(publicBlob, inner);
  }
  const decipher = createDecipheriv(name, secret, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const inner = decipher.update(sealed);
  try {
    decipher.final();
  } catch {
    return null; // the tag does not fit: what another passphrase leads to
  }
  return renderOpenSshKey(publicBlob, inner);
}

function nodeCipher(cipher: string): string {
  if (cipher === '3des-cbc') return 'des-ede3-cbc';
  return cipher.replace(/^aes(128|192|256)-(ctr|cbc|gcm)(?:@openssh\.com)?$/, 'aes-$1-$2');
}

function isTagged(cipher: string): cipher is CipherGCMTypes {
  return cipher.endsWith('-gcm');
}
