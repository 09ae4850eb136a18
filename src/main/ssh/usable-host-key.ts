import ssh2, { type Algorithms, type ServerHostKeyAlgorithm } from 'ssh2';
import { readHostKey, type OfferedHostKey } from './host-key.ts';

/** An RSA key of 16384 bits, the largest that OpenSSH takes too, fits; a larger one is no key that anyone should be asked about. */
const MAX_BLOB_BYTES = 2100;

/** The offered key, or null where the blob is none: nobody is asked to trust bytes that cannot prove anything. */
export function readUsableHostKey(blob: Buffer): OfferedHostKey | null {
  if (blob.length > MAX_BLOB_BYTES) return null;
  const key = readHostKey(blob);
  const parsed = ssh2.utils.parseKey(`${key.type} ${key.publicKey}`);
  return parsed instanceof Error ? null : key;
}

/** One key type can sign in several ways; `ssh-rsa` names the key and its oldest, weakest signature. */
const ALGORITHMS: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
};

/**
 * Puts the signatures of the known key types first, as ssh does: a server with several keys then shows the one that is
 * known, instead of another that would look like a change. The others stay behind them, so that a real change is seen.
 */
export function preferKnownTypes(types: readonly string[]): Algorithms {
  const first = types.flatMap((type) => ALGORITHMS[type] ?? []);
  // ssh2 does this in the order of the fields: what is prepended must have been removed before.
  return { serverHostKey: { remove: [...first], prepend: [...first], append: [] } };
}
