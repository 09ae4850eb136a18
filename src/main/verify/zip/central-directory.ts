import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { StrictUtf8 } from '../utf8.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { EndRecord } from './end-record.ts';

const ENTRY = 0x02014b50;
/** Of names and entries together so many are held in memory, and no more, whatever an archive claims. */
const MAX_ENTRIES = 200_000;
const MAX_NAME_BYTES = 32 * 1024 * 1024;
const LARGE_SIZES = 0x0001;
/** Among the attributes of a file. */
const FOLDER = 0x10;
/** The newest version of the format: 6.3. */
const NEWEST = 63;

export const FLAG = { encrypted: 1, hasDescriptor: 1 << 3, isUtf8: 1 << 11 } as const;
/** Besides those above: how well it is compressed, and three that come with encryption. */
const KNOWN_FLAGS = 0b0010_1000_0100_1111;
const MASKED_FLAGS = (1 << 6) | (1 << 13);

/** One file of an archive, as the directory tells it. */
export interface DirectoryEntry {
  readonly name: string;
  readonly rawName: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly headerAt: number;
  /** As DOS marks it. Its name says that to most readers, and this to a few. */
  readonly isFolder: boolean;
}

/** All entries of the directory, which are as many as its end says, and fill it. */
export function readCentralDirectory(source: ByteSource, end: EndRecord): DirectoryEntry[] {
  if (end.entries > MAX_ENTRIES) {
    throw new NotLoadable(`it has ${plural(end.entries, 'file')}, more than Leasehold looks at`);
  }
  const cursor = new Cursor(source, 'its directory', end.at, end.at + end.bytes);
  const entries: DirectoryEntry[] = [];
  const names = new Set<string>();
  let nameBytes = 0;
  for (let no = 0; no < end.entries; no += 1) {
    const entry = readEntry(cursor);
    nameBytes += entry.rawName.length;
    if (nameBytes > MAX_NAME_BYTES) {
      throw new NotLoadable('the names in it are longer than Leasehold looks at');
    }
    if (names.has(entry.name)) throw new Damaged(`${fileWords(entry)} is in it twice`);
    names.add(entry.name);
    entries.push(entry);
  }
  if (cursor.left > 0) throw new Damaged('its directory is longer than its entries');
  return entries;
}

/** To begin a clause with. */
export const fileWords = ({ name }: { readonly name: string }): string =>
  `its file ${quoted(name)}`;

function readEntry(cursor: Cursor): DirectoryEntry {
  if (cursor.u32() !== ENTRY) throw new Damaged('its directory has something else than entries');
  cursor.skip(1 + 1);
  const version = cursor.u16() & 0xff;
  const flags = cursor.u16();
  const method = cursor.u16();
  const time = cursor.u32();
  const crc = cursor.u32();
  const sizes = { packedBytes: cursor.u32(), bytes: cursor.u32() };
  const [nameBytes, extraBytes, commentBytes] = [cursor.u16(), cursor.u16(), cursor.u16()];
  const disk = cursor.u16();
  cursor.skip(2);
  const isFolder = (cursor.u32() & FOLDER) !== 0;
  const headerAt = cursor.u32();
  const rawName = cursor.bytes(nameBytes);
  const name = nameOf(rawName, flags);
  const of = fileWords({ name });
  const extra = cursor.bytes(extraBytes);
  cursor.skip(commentBytes);
  if (version > NEWEST) throw new Damaged(`${of} is of a version that is none`);
  if ((flags & ~KNOWN_FLAGS) !== 0) throw new Damaged(`${of} has marks that mean nothing`);
  const wanted = [sizes.bytes, sizes.packedBytes, headerAt];
  const [bytes = 0, packedBytes = 0, at = 0] = largeSizes(extra, wanted, of);
  if (disk !== 0 && disk !== 0xffff) throw new Damaged(`${of} is in another part`);
  return { name, rawName, flags, method, time, crc, packedBytes, bytes, headerAt: at, isFolder };
}

/** A size that does not fit stands as the largest number, and in full in a field behind the name. */
export function largeSizes(extra: Uint8Array, sizes: readonly number[], of: string): number[] {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length);
  let large: { at: number; readonly end: number } | null = null;
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > extra.length) throw new Damaged(`${of} has fields that are cut off`);
    if (view.getUint16(at, true) === LARGE_SIZES) {
      if (large !== null) throw new Damaged(`${of} has two sizes`);
      large = { at: at + 4, end };
    }
    at = end;
  }
  // Some writers fill up with zeros, so that what follows begins where a page does.
  if (extra.subarray(at).some((byte) => byte !== 0)) {
    throw new Damaged(`${of} has fields that are cut off`);
  }
  return sizes.map((size) => {
    if (size !== 0xffffffff || large === null) return size;
    if (large.at + 8 > large.end) throw new Damaged(`${of} has no size`);
    large.at += 8;
    return Number(view.getBigUint64(large.at - 8, true));
  });
}

/** A name that would be unpacked outside of the folder that was chosen for it is an attack, whatever the rest is. */
const ESCAPES = /^(?:\/|[A-Za-z]:)|\\|\0|(?:^|\/)\.\.(?:\/|$)/;

function nameOf(raw: Uint8Array, flags: number): string {
  const isUtf8 = (flags & FLAG.isUtf8) !== 0;
  const name = isUtf8
    ? new StrictUtf8('the name of a file in it').decode(raw)
    : Buffer.from(raw).toString('latin1');
  if (name === '') throw new Damaged('a file in it has no name');
  if (ESCAPES.test(name)) {
    throw new Damaged(`${fileWords({ name })} would be unpacked outside of its folder`);
  }
  return name;
}

/** Why the content of an entry cannot be looked at; null: it can. */
export function unreadableBecause({ flags, method, name }: DirectoryEntry): string | null {
  if ((flags & (FLAG.encrypted | MASKED_FLAGS)) !== 0 || method === 99) {
    return `${fileWords({ name })} is encrypted`;
  }
  if (method === 0 || method === 8) return null;
  return `${fileWords({ name })} is compressed in a way that Leasehold does not read`;
}
