import type { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { SUM_BYTES, uint, type Hdf5File } from './parts.ts';

/** A message of an object header. */
export interface Message {
  readonly type: number;
  /** It lies elsewhere, and is shared with others. */
  readonly isShared: boolean;
  readonly at: number;
  readonly bytes: number;
}

const CONTINUATION = 0x10;
/** The last one that the format has. */
const MAX_TYPE = 0x18;
const MAX_MESSAGES = 65_535;
const [SHARED, SHAREABLE] = [0x02, 0x40];
/** Shapes, types, what is there before anything is written, filters and attributes. */
const SHAREABLE_TYPES = [0x01, 0x03, 0x04, 0x05, 0x0b, 0x0c];

const FLAG = { hasOrder: 0x04, hasLimits: 0x10, hasTimes: 0x20, known: 0x3f };

/** All messages of an object, also those that its header did not have room for. */
export function messagesOf(file: Hdf5File, at: number): readonly Message[] {
  const lead = file.cursor(at, 16, 'an object').bytes(4);
  return String.fromCharCode(...lead) === 'OHDR' ? newMessages(file, at) : oldMessages(file, at);
}

function oldMessages(file: Hdf5File, at: number): readonly Message[] {
  const head = file.part(at, 16, 'an object');
  if (head.u8() !== 1) throw new Damaged(`at byte ${String(at)} is no object`);
  head.skip(1);
  const count = head.u16();
  head.skip(4);
  const first = file.part(at + 16, head.u32(), 'an object');
  const found = collect(file, first, readOld, (more) =>
    file.part(more.at, more.bytes, 'an object'),
  );
  if (found.length !== count) throw new Damaged('an object has another number of messages');
  return found;
}

/** Since version 1.8: with a checksum, and a mark before each of its blocks. */
function newMessages(file: Hdf5File, at: number): readonly Message[] {
  const head = file.cursor(at, 6, 'an object');
  head.skip(4);
  const [version, flags] = [head.u8(), head.u8()];
  if (version !== 2 || (flags & ~FLAG.known) !== 0) {
    throw new Damaged(`at byte ${String(at)} is no object`);
  }
  const optional =
    ((flags & FLAG.hasTimes) === 0 ? 0 : 16) + ((flags & FLAG.hasLimits) === 0 ? 0 : 4);
  const sizeBytes = 1 << (flags & 3);
  const leadBytes = 6 + optional + sizeBytes;
  const size = uint(file.cursor(at + 6 + optional, sizeBytes, 'an object'), sizeBytes);
  const what = 'an object';
  const first = file.summed({ at, bytes: leadBytes + size + SUM_BYTES, what, mark: 'OHDR' });
  first.skip(leadBytes - 4);
  const hasOrder = (flags & FLAG.hasOrder) !== 0;
  return collect(
    file,
    first,
    (cursor) => readNew(cursor, hasOrder),
    (more) => file.summed({ ...more, what, mark: 'OCHK' }),
  );
}

interface Block {
  readonly at: number;
  readonly bytes: number;
}

function collect(
  file: Hdf5File,
  first: Cursor,
  read: (cursor: Cursor) => Message | null,
  open: (block: Block) => Cursor,
): readonly Message[] {
  const found: Message[] = [];
  const blocks: Block[] = [];
  for (let cursor: Cursor | null = first; cursor !== null;) {
    for (let message = read(cursor); message !== null; message = read(cursor)) {
      found.push(message);
      if (found.length > MAX_MESSAGES) throw new Damaged('an object has messages without end');
      if (message.type !== CONTINUATION) continue;
      const more = file.cursor(message.at, 16, 'an object');
      blocks.push({ at: more.u64(), bytes: more.u64() });
    }
    const next = blocks.shift();
    cursor = next === undefined ? null : open(next);
  }
  return found;
}

function readOld(cursor: Cursor): Message | null {
  if (cursor.left === 0) return null;
  const [type, bytes, flags] = [cursor.u16(), cursor.u16(), cursor.u8()];
  cursor.skip(3);
  if (bytes % 8 !== 0) throw new Damaged(NO_KIND);
  return messageAt(cursor, type, bytes, flags);
}

function readNew(cursor: Cursor, hasOrder: boolean): Message | null {
  // What is left is too little for one.
  if (cursor.left < (hasOrder ? 6 : 4)) return null;
  const [type, bytes, flags] = [cursor.u8(), cursor.u16(), cursor.u8()];
  if (hasOrder) cursor.skip(2);
  return messageAt(cursor, type, bytes, flags);
}

function messageAt(cursor: Cursor, type: number, bytes: number, flags: number): Message {
  const isOfMany = (flags & (SHARED | SHAREABLE)) !== 0;
  if (type > MAX_TYPE || (isOfMany && !SHAREABLE_TYPES.includes(type))) throw new Damaged(NO_KIND);
  const { at } = cursor;
  cursor.skip(bytes);
  return { type, isShared: (flags & SHARED) !== 0, at, bytes };
}

const NO_KIND = 'an object has a message of no kind';
