import { decodeBase64 } from './base64.ts';

/** Which hosts a line is about. */
export type HostPatterns =
  /** `|1|salt|hash`: HMAC-SHA1 of the name. */
  | { readonly kind: 'hashed'; readonly salt: string; readonly hash: string }
  | { readonly kind: 'plain'; readonly patterns: readonly HostPattern[] };

export interface HostPattern {
  /** Lower case; `*` and `?` are wildcards. */
  readonly text: string;
  readonly isNegated: boolean;
}

/** What a line says about its key. */
export type KnownHostsMarker = 'none' | 'revoked' | 'cert-authority';

export interface KnownHostsEntry {
  /** Counted from 1. */
  readonly line: number;
  readonly marker: KnownHostsMarker;
  readonly hosts: HostPatterns;
  readonly type: string;
  readonly publicKey: string;
}

/** A line that OpenSSH would pass over too. It is kept, so that a person can find and mend it. */
export interface UnreadableLine {
  readonly line: number;
  readonly because: string;
}

export interface KnownHosts {
  readonly entries: readonly KnownHostsEntry[];
  readonly unreadable: readonly UnreadableLine[];
}

/** The types that OpenSSH 9.2 reads in a known_hosts file (sshkey.c); a line of another type is no entry to it. */
const KEY_TYPES = new Set([
  'ssh-ed25519',
  'ssh-rsa',
  'ssh-dss',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
]);

const SHA1_BYTES = 20;

/** Total: each line is an entry, unreadable, or nothing (blank, comment). */
export function parseKnownHosts(text: string): KnownHosts {
  const entries: KnownHostsEntry[] = [];
  const unreadable: UnreadableLine[] = [];
  for (const [index, each] of text.split('\n').entries()) {
    const read = readLine(each, index + 1);
    if (read === null) continue;
    if ('because' in read) unreadable.push(read);
    else entries.push(read);
  }
  return { entries, unreadable };
}

/** One line by itself, so that a long file can be read in slices. */
export function readLine(text: string, line: number): KnownHostsEntry | UnreadableLine | null {
  const fields = text.split(/[ \t\r]+/).filter((field) => field !== '');
  const [first] = fields;
  if (first === undefined || first.startsWith('#')) return null;
  const marker = readMarker(first);
  if (marker === null) return { line, because: `the marker ${shown(first)} is not known` };
  const [names, type, key] = marker === 'none' ? fields : fields.slice(1);
  if (names === undefined || type === undefined || key === undefined) {
    return { line, because: 'a host, a key type and a key are expected' };
  }
  const hosts = readHosts(names);
  if (hosts === null) return { line, because: 'the hashed host name is malformed' };
  const because = whyNoKey(type, key);
  return because === null ? { line, marker, hosts, type, publicKey: key } : { line, because };
}

function readMarker(field: string): KnownHostsMarker | null {
  if (!field.startsWith('@')) return 'none';
  if (field === '@revoked') return 'revoked';
  return field === '@cert-authority' ? 'cert-authority' : null;
}

function readHosts(names: string): HostPatterns | null {
  if (names.startsWith('|')) {
    const [, version, salt = '', hash = '', rest] = names.split('|');
    const isSound =
      version === '1' &&
      rest === undefined &&
      decodeBase64(salt)?.length === SHA1_BYTES &&
      decodeBase64(hash)?.length === SHA1_BYTES;
    return isSound ? { kind: 'hashed', salt, hash } : null;
  }
  const patterns = names
    .split(',')
    .map((name) => ({
      text: name.replace(/^!/, '').toLowerCase(),
      isNegated: name.startsWith('!'),
    }))
    .filter((pattern) => pattern.text !== '');
  return { kind: 'plain', patterns };
}

/** Null: it is a key of the type that the line names. */
function whyNoKey(type: string, key: string): string | null {
  if (/^\d+$/.test(type)) return 'it is a key of SSH version 1';
  if (!KEY_TYPES.has(type)) return `the key type ${shown(type)} is not known`;
  const blob = decodeBase64(key);
  if (blob === null) return 'the key is not base64';
  return typeInside(blob) === type ? null : 'the key is of another type than the line says';
}

/** A key blob begins with its type: a length, then the name. */
function typeInside(blob: Uint8Array): string | null {
  const [a = 1, b = 1, c = 1, length = 0] = blob;
  if (a + b + c !== 0 || length === 0 || blob.length <= 4 + length) return null;
  return String.fromCharCode(...blob.subarray(4, 4 + length));
}

/** Of a file that anyone may have written: short, and without what could act on a screen. */
function shown(text: string): string {
  return `“${text.slice(0, 40).replace(/[^\x21-\x7e]/g, '?')}”`;
}
