import { inflateRawSync } from 'node:zlib';
import { partOf, type ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { Member } from './archive.ts';
import { fileWords } from './central-directory.ts';

/** Of what is compressed so much is unpacked into memory, and no more. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/** One file of an archive, to be read in any order. Its checksum is found out while the archive passes by. */
export function memberSource(source: ByteSource, member: Member): ByteSource {
  const { dataAt, method, packedBytes, bytes } = member;
  if (method === 0) {
    return partOf(source, dataAt, bytes);
  }
  if (Math.max(packedBytes, bytes) > MAX_UNPACKED_BYTES) {
    throw new NotLoadable(`${fileWords(member)} is larger than Leasehold unpacks into memory`);
  }
  const unpacked = unpack(source.read(dataAt, packedBytes), member);
  if (unpacked.length !== bytes) throw new Damaged(`${fileWords(member)} cannot be unpacked`);
  return { sizeBytes: bytes, read: (at, length) => unpacked.slice(at, at + length) };
}

function unpack(packed: Uint8Array, member: Member): Uint8Array {
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, member.bytes) }));
  } catch {
    // Longer than it claims, or no such stream.
    throw new Damaged(`${fileWords(member)} cannot be unpacked`);
  }
}
