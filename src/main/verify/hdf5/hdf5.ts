import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { plural } from '../plural.ts';
import { tensorFormat, type Structure } from '../reading.ts';
import { readDataset } from './datasets.ts';
import { readGroup, type TreeSizes } from './groups.ts';
import { Hdf5File, NEWER, type Message } from './parts.ts';

export const hdf5 = tensorFormat('hdf5', /\.(?:h5|hdf5|hdf)$/i, readHdf5);

const MARK = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** As the library has it where a file does not say. */
const HALF_OF_CHUNKS = 32;
const [LINK_INFO, LAYOUT, LINK, EXTERNAL_FILES, GROUP] = [0x02, 0x08, 0x06, 0x07, 0x11];
const [ATTRIBUTE_INFO, ATTRIBUTE] = [0x15, 0x0c];
/** Beyond what any model has; each takes memory while a file is read. */
const MAX_OBJECTS = 100_000;

/** What a program puts before it, in a file that begins at 512 bytes or a power of two times that. */
const BEHIND_OTHERS = 'something else lies before it in the file';

const isMarked = (cursor: Cursor): boolean => MARK.every((byte) => cursor.u8() === byte);

interface Superblock {
  readonly end: number;
  readonly rootAt: number;
  readonly sizes: TreeSizes;
  readonly halfOfChunks: number;
  readonly bytes: number;
}

/** Its objects from the root on: each part within the file and over no other, each set of data as long as its shape says. */
function readHdf5(source: ByteSource): Structure {
  const { end, rootAt, sizes, halfOfChunks, bytes } = readSuperblock(source);
  const file = new Hdf5File(source, end);
  file.extents.claim(0, bytes, 'its beginning');
  const spans: NumberSpan[] = [];
  let [groups, sets, numbers] = [0, 0, 0];
  const known = new Set([rootAt]);
  const waiting = [{ name: '', at: rootAt }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const messages = file.messages(next.at);
    checkKnown(messages);
    const group = messages.find(({ type }) => type === GROUP);
    if (group === undefined && next.at === rootAt) throw new Damaged('its root is no group');
    if (group !== undefined) {
      groups += 1;
      const cursor = file.cursor(group.at, group.bytes, 'a group');
      const parent = next.name === '' ? '' : `${next.name}/`;
      for (const { name, at } of readGroup(
        file,
        { treeAt: cursor.u64(), heapAt: cursor.u64() },
        sizes,
      )) {
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
      spans.push(...data.spans);
    }
  }
  file.extents.checkOverlaps();
  return {
    holds: `${plural(groups, 'group')}, ${plural(sets, 'set')} of data, ${plural(numbers, 'value')}`,
    spans: spans.sort((a, b) => a.at - b.at),
  };
}

function checkKnown(messages: readonly Message[]): void {
  for (const { type, isShared } of messages) {
    if (type === LINK_INFO || type === LINK || type === ATTRIBUTE_INFO)
      throw new NotLoadable(NEWER);
    if (type === EXTERNAL_FILES) throw new NotLoadable('its data lie in other files');
    if (isShared && type === ATTRIBUTE) {
      throw new NotLoadable('it has attributes that lie elsewhere');
    }
  }
}

function readSuperblock(source: ByteSource): Superblock {
  const cursor = new Cursor(source, 'its beginning', 0, source.sizeBytes, 1024);
  if (!isMarked(cursor)) {
    for (let at = 512; at + MARK.length <= source.sizeBytes; at *= 2) {
      if (isMarked(new Cursor(source, 'its beginning', at, at + MARK.length))) {
        throw new NotLoadable(BEHIND_OTHERS);
      }
    }
    throw new Damaged('it does not begin as an HDF5 file does');
  }
  const version = cursor.u8();
  if (version === 2 || version === 3) throw new NotLoadable(NEWER);
  if (version > 3) throw new Damaged('its version is not known');
  const versions = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()];
  if (versions.some((each) => each !== 0)) throw new Damaged('the versions of its parts are none');
  if (cursor.u8() !== 8 || cursor.u8() !== 8) {
    throw new NotLoadable('its addresses are of another size than eight bytes');
  }
  cursor.skip(1);
  const sizes = { leaf: cursor.u16(), internal: cursor.u16() };
  cursor.skip(4);
  const halfOfChunks = version === 1 ? cursor.u16() : HALF_OF_CHUNKS;
  if (version === 1) cursor.skip(2);
  if (sizes.leaf === 0 || sizes.internal === 0 || halfOfChunks === 0) {
    throw new Damaged('the nodes of its trees are of no size');
  }
  if (cursor.u64() !== 0) throw new NotLoadable(BEHIND_OTHERS);
  cursor.skip(8);
  const end = cursor.u64();
  if (end > source.sizeBytes) {
    throw new Damaged(
      `it is cut off: it says ${String(end)} bytes, and has ${String(source.sizeBytes)}`,
    );
  }
  cursor.skip(16);
  const rootAt = cursor.u64();
  cursor.skip(24);
  return { end, rootAt, sizes, halfOfChunks, bytes: cursor.at };
}
