import { partOf, type ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { plural } from '../plural.ts';
import { tensorFormat, type Structure } from '../reading.ts';
import { checkMessages } from './attributes.ts';
import { readDataset } from './datasets.ts';
import { readGroup, type Member, type TreeSizes } from './groups.ts';
import { checkAttributes, LINK, LINK_INFO, readLinks } from './links.ts';
import { lookup3 } from './lookup3.ts';
import { messagesOf, type Message } from './messages.ts';
import { Hdf5File, isNowhere } from './parts.ts';

export const hdf5 = tensorFormat('hdf5', /\.(?:h5|hdf5|hdf|h5ad)$/i, readHdf5);

const MARK = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** As the library has it where a file does not say. */
const HALF_OF_CHUNKS = 32;
const NODE_SIZES: TreeSizes = { leaf: 4, internal: 16 };
const [LAYOUT, EXTERNAL_FILES, GROUP, NODES] = [0x08, 0x07, 0x11, 0x13];
const ATTRIBUTE = 0x0c;
/** Beyond what any model has; each takes memory while a file is read. */
const MAX_OBJECTS = 100_000;
/** A program may put something of its own before it: 512 bytes or a power of two times that. */
const FIRST_BEGINNING = 512;

/** Its objects from the root on: each part within the file and over no other, each set of data as long as its shape says. */
function readHdf5(whole: ByteSource): Structure {
  const from = beginningOf(whole);
  const source = from === 0 ? whole : partOf(whole, from, whole.sizeBytes - from);
  const { end, rootAt, extensionAt, bytes, ...told } = readSuperblock(source, from);
  const file = new Hdf5File(source, end);
  file.extents.claim(0, bytes, 'its beginning');
  const { sizes, halfOfChunks } = isNowhere(extensionAt)
    ? told
    : readExtension(file, extensionAt, told);
  const spans: NumberSpan[] = [];
  let [groups, sets, numbers] = [0, 0, 0];
  const known = new Set([rootAt]);
  const waiting = [{ name: '', at: rootAt }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const messages = messagesOf(file, next.at);
    checkKnown(messages);
    checkMessages(file, messages);
    checkAttributes(file, messages);
    const members = membersOf(file, messages, sizes);
    if (members === null && next.at === rootAt) throw new Damaged('its root is no group');
    if (members !== null) {
      groups += 1;
      const parent = next.name === '' ? '' : `${next.name}/`;
      for (const { name, at } of members) {
        // An object may have several names.
        if (!known.has(at)) waiting.push({ name: parent + name, at });
        known.add(at);
        if (known.size > MAX_OBJECTS) {
          throw new NotLoadable('it has more objects than Leasehold looks at');
        }
      }
    } else if (messages.some(({ type }) => type === LAYOUT)) {
      const data = readDataset(file, next.name, messages, halfOfChunks);
      sets += 1;
      numbers += data.numbers;
      for (const span of data.spans) spans.push({ ...span, at: from + span.at });
    }
  }
  const isAll = file.lists.check();
  file.extents.checkOverlaps();
  const behind = source.sizeBytes - end;
  const more = `${isAll ? '' : '; too many texts to look at'}${behind === 0 ? '' : `; ${plural(behind, 'byte')} behind its end`}`;
  return {
    holds: `${plural(groups, 'group')}, ${plural(sets, 'set')} of data, ${plural(numbers, 'value')}${more}`,
    spans: spans.sort((a, b) => a.at - b.at),
  };
}

/** Null: it is no group. */
function membersOf(
  file: Hdf5File,
  messages: readonly Message[],
  sizes: TreeSizes,
): readonly Member[] | null {
  const old = messages.find(({ type }) => type === GROUP);
  if (old === undefined) {
    const isGroup = messages.some(({ type }) => type === LINK_INFO || type === LINK);
    return isGroup ? readLinks(file, messages) : null;
  }
  const cursor = file.cursor(old.at, old.bytes, 'a group');
  return readGroup(file, { treeAt: cursor.u64(), heapAt: cursor.u64() }, sizes);
}

function checkKnown(messages: readonly Message[]): void {
  for (const { type, isShared } of messages) {
    if (type === EXTERNAL_FILES) throw new NotLoadable('its data lie in other files');
    if (isShared && type === ATTRIBUTE) {
      throw new NotLoadable('it has attributes that lie elsewhere');
    }
  }
}

function beginningOf(source: ByteSource): number {
  for (let at = 0; at + MARK.length <= source.sizeBytes; at = Math.max(FIRST_BEGINNING, at * 2)) {
    if (source.read(at, MARK.length).every((byte, no) => byte === MARK[no])) return at;
  }
  throw new Damaged('it does not begin as an HDF5 file does');
}

interface Trees {
  readonly sizes: TreeSizes;
  readonly halfOfChunks: number;
}

interface Superblock extends Trees {
  readonly end: number;
  readonly rootAt: number;
  readonly extensionAt: number;
  readonly bytes: number;
}

function readSuperblock(source: ByteSource, from: number): Superblock {
  const cursor = new Cursor(source, 'its beginning', 0, source.sizeBytes, 1024);
  cursor.skip(MARK.length);
  const version = cursor.u8();
  if (version > 3) throw new Damaged('its version is not known');
  const found =
    version < 2 ? readOldOne(cursor, version, from) : readNewOne(cursor, version, from, source);
  if (found.end > source.sizeBytes) {
    throw new Damaged(
      `it is cut off: it says ${String(found.end + from)} bytes, and has ${String(source.sizeBytes + from)}`,
    );
  }
  return found;
}

function readOldOne(cursor: Cursor, version: number, from: number): Superblock {
  const versions = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()];
  if (versions.some((each) => each !== 0)) throw new Damaged('the versions of its parts are none');
  checkWidths(cursor);
  cursor.skip(1);
  const sizes = { leaf: cursor.u16(), internal: cursor.u16() };
  cursor.skip(4);
  const halfOfChunks = version === 1 ? cursor.u16() : HALF_OF_CHUNKS;
  if (version === 1) cursor.skip(2);
  if (sizes.leaf === 0 || sizes.internal === 0 || halfOfChunks === 0) {
    throw new Damaged('the nodes of its trees are of no size');
  }
  const base = readBase(cursor, from);
  cursor.skip(8);
  const end = cursor.u64() - base;
  cursor.skip(16);
  const rootAt = cursor.u64();
  cursor.skip(24);
  return { end, rootAt, sizes, halfOfChunks, extensionAt: Infinity, bytes: cursor.at };
}

const OPEN_TO_WRITE = 1;

/** Since version 1.8: with a checksum, and with the rest among the messages of an object. */
function readNewOne(cursor: Cursor, version: number, from: number, source: ByteSource): Superblock {
  checkWidths(cursor);
  const flags = cursor.u8();
  const base = readBase(cursor, from);
  const [extensionAt, end, rootAt] = [cursor.u64(), cursor.u64() - base, cursor.u64()];
  const content = source.read(0, cursor.at);
  if (lookup3(content) !== cursor.u32())
    throw new Damaged('the checksum of its beginning is wrong');
  if (version === 3 && (flags & OPEN_TO_WRITE) !== 0) {
    throw new Damaged('who wrote it has not closed it');
  }
  const trees = { sizes: NODE_SIZES, halfOfChunks: HALF_OF_CHUNKS };
  return { end, rootAt, extensionAt, bytes: cursor.at, ...trees };
}

function checkWidths(cursor: Cursor): void {
  if (cursor.u8() !== 8 || cursor.u8() !== 8) {
    throw new NotLoadable('its addresses are of another size than eight bytes');
  }
}

/** Where it was written; what a program put before it later is not counted. */
function readBase(cursor: Cursor, from: number): number {
  const base = cursor.u64();
  if (base !== 0 && base !== from) throw new Damaged('it says that it begins elsewhere');
  return base;
}

/** What else a newer file says of itself: how full the nodes of its older trees may be. */
function readExtension(file: Hdf5File, at: number, otherwise: Trees): Trees {
  const nodes = messagesOf(file, at).find(({ type }) => type === NODES);
  if (nodes === undefined) return otherwise;
  const cursor = file.cursor(nodes.at, nodes.bytes, 'its beginning');
  if (cursor.u8() !== 0) throw new Damaged('the nodes of its trees are of no size');
  const [halfOfChunks, internal, leaf] = [cursor.u16(), cursor.u16(), cursor.u16()];
  return { halfOfChunks, sizes: { internal, leaf } };
}
