import type { KnownPlace } from '../host-key.ts';
import type { KnownHostsMarker } from './entry.ts';

/** A line of a known_hosts file that is about the machine at hand. */
export interface KnownLine {
  readonly place: KnownPlace;
  readonly marker: KnownHostsMarker;
  readonly type: string;
  readonly publicKey: string;
  /** False: it names the host without its port. */
  readonly isExact: boolean;
}

/** What is known of a machine before it is asked. */
export interface KnownOfMachine {
  /** Trusted in Leasehold; null: never. */
  readonly stored: string | null;
  readonly lines: readonly KnownLine[];
}

export type HostKeyVerdict =
  | { readonly kind: 'trusted'; readonly by: 'leasehold' }
  | { readonly kind: 'trusted'; readonly by: 'known-hosts'; readonly place: KnownPlace }
  | { readonly kind: 'changed'; readonly from: 'leasehold'; readonly offeredAt: KnownPlace | null }
  | { readonly kind: 'changed'; readonly from: 'known-hosts'; readonly line: KnownLine }
  | { readonly kind: 'revoked'; readonly place: KnownPlace }
  /** Only a certificate authority is trusted for this host, and what is offered is a plain key. */
  | { readonly kind: 'certificate-expected'; readonly place: KnownPlace }
  | { readonly kind: 'unknown' };

/**
 * What ssh itself would say, with two differences. A key that was trusted in Leasehold outweighs what the files say about
 * other keys: it is the later and more deliberate word. And a revoked key is refused whichever name the line has.
 *
 * SECURITY: any other known key makes the offered one "changed", of whichever type (as check_hostkeys_by_key_or_type in
 * OpenSSH). Otherwise an impostor would only have to offer a type that is not known yet to be met with a mere question.
 */
export function judgeHostKey(offered: string, { stored, lines }: KnownOfMachine): HostKeyVerdict {
  const plain = lines.filter(({ marker }) => marker === 'none');
  const same = plain.find(({ publicKey }) => publicKey === offered);
  const revoked = lines.find(
    ({ marker, publicKey }) => marker === 'revoked' && publicKey === offered,
  );
  if (revoked !== undefined) return { kind: 'revoked', place: revoked.place };
  if (stored === offered) return { kind: 'trusted', by: 'leasehold' };
  if (stored !== null) {
    return { kind: 'changed', from: 'leasehold', offeredAt: same?.place ?? null };
  }
  if (same !== undefined) return { kind: 'trusted', by: 'known-hosts', place: same.place };
  const [other] = plain.filter(({ isExact }) => isExact);
  if (other !== undefined) return { kind: 'changed', from: 'known-hosts', line: other };
  const authority = lines.find(({ marker }) => marker === 'cert-authority');
  if (authority !== undefined) return { kind: 'certificate-expected', place: authority.place };
  return { kind: 'unknown' };
}

/** The key types to ask the server for first, so that one with several keys shows the one that is known. */
export function knownTypes(storedType: string | null, lines: readonly KnownLine[]): string[] {
  const usable = lines.filter(({ marker, isExact }) => marker === 'none' && isExact);
  const fallback = lines.filter(({ marker, isExact }) => marker === 'none' && !isExact);
  const types = [...usable, ...fallback].map(({ type }) => type);
  return [...new Set(storedType === null ? types : [storedType])];
}
