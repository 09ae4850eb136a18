import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { expandHome } from './expand-home.ts';
import { isHardwareKey, readSealedKey, unseal, type SealedKey } from './openssh-key.ts';
import { parsePublicKey } from './signer.ts';
import { readField } from './wire-fields.ts';

/** Far above any key; a path to something endless must not be read. */
const MAX_BYTES = 64 * 1024;

const HARDWARE_KEY =
  'is a hardware key (FIDO), which Leasehold cannot use, not even from an SSH agent: have a key of another type added on the box';

/** A private key file whose passphrase is not known yet. */
export interface LockedKey {
  /** Of what is in the file: a key that was made anew is another one. */
  readonly id: string;
  readonly file: string;
  readonly label: string;
  /** Its public half, where the file or the `.pub` beside it tells: the server can be asked before the person. */
  readonly publicKey: ParsedKey | null;
  /** Null: the passphrase is wrong, or the signal said to stop. */
  unlock(passphrase: string, signal: AbortSignal): Promise<ParsedKey | null>;
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
  if (isHardwareKey(text.value)) return { kind: 'unusable', because: HARDWARE_KEY };
  const parsed = ssh2.utils.parseKey(text.value);
  if (!(parsed instanceof Error)) {
    return parsed.isPrivateKey()
      ? { kind: 'usable', key: parsed, label: basename(file) }
      : { kind: 'public', key: parsed };
  }
  if (!/passphrase|encrypted/i.test(parsed.message)) {
    return { kind: 'unusable', because: 'is not a private key' };
  }
  const sealed = readSealedKey(text.value);
  if (typeof sealed === 'string') return { kind: 'unusable', because: sealed };
  return {
    kind: 'locked',
    key: {
      id: createHash('sha256').update(text.value).digest('hex').slice(0, 16),
      file,
      label: basename(file),
      publicKey: (sealed === null ? null : publicHalfOf(sealed)) ?? (await publicFileBeside(file)),
      unlock: async (passphrase, signal) => {
        // The older formats have no bcrypt: they open in no time.
        if (sealed === null) return parsePrivateKey(text.value, passphrase);
        const plain = await unseal(sealed, passphrase, signal);
        return plain === null ? null : parsePrivateKey(plain);
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

function publicHalfOf({ publicBlob }: SealedKey): ParsedKey | null {
  const type = readField(publicBlob)[0]?.toString('latin1') ?? '';
  return parsePublicKey(`${type} ${publicBlob.toString('base64')}`);
}

function parsePrivateKey(text: string, passphrase?: string): ParsedKey | null {
  const key = ssh2.utils.parseKey(text, passphrase);
  return key instanceof Error || !key.isPrivateKey() ? null : key;
}

type Read =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly because: string };

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
