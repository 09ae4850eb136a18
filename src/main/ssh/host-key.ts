import { createHash } from 'node:crypto';
import type { HostKey } from '../../shared/boxes/box.ts';

/** A server's public key as it came over the wire. */
export interface OfferedHostKey extends HostKey {
  /** The key itself, base64, as known_hosts files hold it. */
  readonly publicKey: string;
}

/** A key the person once trusted for a box. */
export interface StoredHostKey extends OfferedHostKey {
  readonly storedAtMs: number;
}

/** Reads an SSH public key blob: a length, the type's name, then the key material. */
export function readHostKey(blob: Buffer): OfferedHostKey {
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0;
  const name = blob.subarray(4, 4 + Math.min(length, 64)).toString('latin1');
  return {
    // The type is shown to a person and comes from the server: anything but a plain name is not repeated.
    type: /^[\w@.+-]+$/.test(name) ? name : 'unknown',
    fingerprint: fingerprintOf(blob),
    publicKey: blob.toString('base64'),
  };
}

/** As OpenSSH prints it. */
export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}
