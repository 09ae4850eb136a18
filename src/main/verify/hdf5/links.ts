import { Damaged } from '../damage.ts';
import { Heap, type HeapObject } from './heap.ts';
import type { Member } from './groups.ts';
import type { Message } from './messages.ts';
import { isNowhere, uint, type Hdf5File } from './parts.ts';
import { recordsOf } from './tree-2.ts';

export const [LINK_INFO, LINK, ATTRIBUTE_INFO] = [0x02, 0x06, 0x15];

const [HARD, SOFT, EXTERNAL, MAX_OF_USERS] = [0, 1, 64, 255];
const MAX_NAME_BYTES = 64 * 1024;
/** Trees by what they are of, and in which order. */
const TREES = { linksByName: 5, linksByOrder: 6, attributesByName: 8, attributesByOrder: 9 };
const LINK_ID_AT = 4;
const LINK_ID_BYTES = 7;
const ATTRIBUTE_ID_BYTES = 8;

/** What a group of the newer kind holds: in its own messages, or in a heap with an index of its names. */
export function readLinks(file: Hdf5File, messages: readonly Message[]): readonly Member[] {
  const members: Member[] = [];
  const add = (object: HeapObject): void => {
    const member = readLink(file, object);
    if (member !== null) members.push(member);
  };
  for (const message of messages) if (message.type === LINK) add(message);
  const info = messages.find(({ type }) => type === LINK_INFO);
  if (info === undefined) return members;
  const at = readInfo(file, info, 8);
  if (isNowhere(at.heap)) return members;
  const heap = new Heap(file, at.heap);
  let links = 0;
  for (const record of recordsOf(file, at.names, [TREES.linksByName])) {
    const object = heap.find(record.subarray(LINK_ID_AT, LINK_ID_AT + LINK_ID_BYTES));
    if (object === null) throw new Damaged('a name of it is not among the names');
    add(object);
    links += 1;
  }
  if (links !== heap.objects) throw new Damaged('a group has another number of names than it says');
  walkThrough(file, at.orders, TREES.linksByOrder);
  return members;
}

/** Attributes for which a header had no room: where they lie, and not what they say. */
export function checkAttributes(file: Hdf5File, messages: readonly Message[]): void {
  const info = messages.find(({ type }) => type === ATTRIBUTE_INFO);
  if (info === undefined) return;
  const at = readInfo(file, info, 2);
  if (isNowhere(at.heap)) return;
  const heap = new Heap(file, at.heap);
  for (const record of recordsOf(file, at.names, [TREES.attributesByName])) {
    heap.find(record.subarray(0, ATTRIBUTE_ID_BYTES));
  }
  walkThrough(file, at.orders, TREES.attributesByOrder);
}

interface Info {
  readonly heap: number;
  readonly names: number;
  readonly orders: number;
}

function readInfo(file: Hdf5File, { at, bytes }: Message, orderBytes: number): Info {
  const cursor = file.cursor(at, bytes, 'an index of names');
  const [version, flags] = [cursor.u8(), cursor.u8()];
  if (version !== 0) throw new Damaged('an index of names is of no known version');
  if ((flags & 1) !== 0) cursor.skip(orderBytes);
  const [heap, names] = [cursor.u64(), cursor.u64()];
  return { heap, names, orders: (flags & 2) === 0 ? Infinity : cursor.u64() };
}

/** For its checksums alone. */
function walkThrough(file: Hdf5File, at: number, type: number): void {
  if (!isNowhere(at)) Array.from(recordsOf(file, at, [type]));
}

/** Null: it leads to no object of this file by its place. */
function readLink(file: Hdf5File, { at, bytes }: HeapObject): Member | null {
  const cursor = file.cursor(at, bytes, 'a link');
  const [version, flags] = [cursor.u8(), cursor.u8()];
  if (version !== 1 || flags > 0x1f) throw new Damaged('a link is none');
  const kind = (flags & 0x08) === 0 ? HARD : cursor.u8();
  if ((flags & 0x04) !== 0) cursor.skip(8);
  if ((flags & 0x10) !== 0) cursor.skip(1);
  const nameBytes = uint(cursor, 1 << (flags & 3));
  if (nameBytes === 0 || nameBytes > MAX_NAME_BYTES) throw new Damaged('a link has no name');
  const name = new TextDecoder().decode(cursor.bytes(nameBytes));
  if (kind === HARD) return { name, at: cursor.u64() };
  if (kind !== SOFT && (kind < EXTERNAL || kind > MAX_OF_USERS))
    throw new Damaged('a link is none');
  cursor.skip(cursor.u16());
  return null;
}
