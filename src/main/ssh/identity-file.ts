import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { utils, type ParsedKey } from 'ssh2';
import { expandHome } from './expand-home.ts';
import { parsePublicKey } from './signer.ts';

/** Far above any key; a path to something endless must not be read. */
const MAX_BYTES = 64 * 1024;

/** A private key file whose passphrase is not known yet. */
export interface LockedKey {
  /** Of what is in the file: a key that was made anew is another one. */
  readonly id: string;
  readonly file: string;
  readonly label: string;
  /** Its public half, where the file or the `.pub` beside it tells: the server can be asked before the person. */
  readonly publicKey: ParsedKey | null;
  /** Null: the passphrase is wrong. */
  unlock(passphrase: string): ParsedKey | null;
}

export type IdentityFile =
  | { readonly kind: 'usable'; readonly key: ParsedKey; readonly label: string }
  | { readonly kind: 'locked'; readonly key: LockedKey }
  /** A public key: it chooses one of the agent's. */
  | { readonly kind: 'public'; readonly key: ParsedKey }
  | { readonly kind: 'unusable'; readonly because: string };

export async function readIdentityFile(file: string): Promise<IdentityFile> {
  const text = await readBounded(expandHome(file));
  if (!text.ok) return { kind: 'unusable', because: `cannot be read (${text.because})` };
  const parsed = utils.parseKey(text.value);
  if (!(parsed instanceof Error)) {
    return parsed.isPrivateKey()
      ? { kind: 'usable', key: parsed, label: basename(file) }
      : { kind: 'public', key: parsed };
  }
  if (!/passphrase|encrypted/i.test(parsed.message)) {
    return { kind: 'unusable', because: 'is not a private key' };
  }
  return {
    kind: 'locked',
    key: {
      id: createHash('sha256').update(text.value).digest('hex').slice(0, 16),
      file,
      label: basename(file),
      publicKey: publicHalfOf(text.value) ?? (await publicFileBeside(file)),
      unlock: (passphrase) => {
        const key = utils.parseKey(text.value, passphrase);
        return key instanceof Error || !key.isPrivateKey() ? null : key;
      },
    },
  };
}

/** Whether an OpenSSH certificate lies beside the key, where `ssh` would find and use it. */
export async function hasCertificateBeside(file: string): Promise<boolean> {
  return (await readBounded(`${expandHome(file)}-cert.pub`)).ok;
}

async function publicFileBeside(file: string): Promise<ParsedKey | null> {
  const text = await readBounded(`${expandHome(file)}.pub`);
  return text.ok ? parsePublicKey(text.value) : null;
}

/** OpenSSH's own format keeps the public half in clear: magic, cipher, kdf, kdf options, count, public key. */
function publicHalfOf(text: string): ParsedKey | null {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(text)?.[1];
  if (body === undefined) return null;
  const bytes = Buffer.from(body, 'base64');
  let at = 'openssh-key-v1\0'.length;
  const field = (): Buffer | null => {
    if (at + 4 > bytes.length) return null;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const value = bytes.subarray(at + 4, end);
    at = end;
    return value;
  };
  if (field() === null || field() === null || field() === null) return null;
  at += 4; // how many keys; OpenSSH writes one
  const blob = field();
  const type =
    blob === null || blob.length < 4 ? '' : blob.toString('latin1', 4, 4 + blob.readUInt32BE(0));
  return blob === null ? null : parsePublicKey(`${type} ${blob.toString('base64')}`);
}

type Read =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly because: string };

async function readBounded(path: string): Promise<Read> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { ok: false, because: 'not a file' };
    if (found.size > MAX_BYTES) return { ok: false, because: 'too large for a key' };
    return { ok: true, value: await readFile(path, 'utf8') };
  } catch (cause) {
    return { ok: false, because: (cause as NodeJS.ErrnoException).code ?? 'unreadable' };
  }
}
