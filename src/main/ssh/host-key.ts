import { createHash } from 'node:crypto';
import type {
  HostKey,
  OfferedKey,
  ReplacedBecause,
  TrustWay,
} from '../../shared/boxes/host-key.ts';

/** A server's public key as it came over the wire. */
export interface OfferedHostKey extends HostKey {
  /** The key itself, base64, as known_hosts files hold it. */
  readonly publicKey: string;
}

/** A key the person once trusted for a machine. */
export interface StoredHostKey extends OfferedHostKey {
  readonly storedAtMs: number;
  /** When the machine last proved that it has it; null: never since this is noted. */
  readonly lastSeenMs: number | null;
}

/** A key that was trusted once, whether it still is or not. */
export interface PastHostKey extends StoredHostKey {
  readonly trustedBy: TrustWay;
  readonly trustedWhere: string | null;
  /** When another key took its place; null: it is the current one. */
  readonly replacedAtMs: number | null;
  readonly replacedBecause: ReplacedBecause | null;
}

/** Why a key is trusted, and where its machine answered. */
export interface Trust {
  readonly address: { readonly host: string; readonly port: number };
  readonly by: TrustWay;
  /** The line of a known_hosts file, for a key that came from there. */
  readonly where: string | null;
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

/** The key in every notation that a person may have to compare it with. */
export function describeOffered({ type, fingerprint, publicKey }: OfferedHostKey): OfferedKey {
  const digest = createHash('md5').update(Buffer.from(publicKey, 'base64')).digest('hex');
  return { type, fingerprint, publicKey, md5: `MD5:${(digest.match(/../g) ?? []).join(':')}` };
}

/** As OpenSSH prints it. */
export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}
