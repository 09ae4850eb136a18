import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { Extents } from '../extents.ts';

/** An address that leads nowhere: nothing was written there yet. */
export const isNowhere = (address: number): boolean => address > Number.MAX_SAFE_INTEGER;

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

/** What every part of the format is read with: small windows, since its parts lie all over the file. */
export class Hdf5File {
  readonly source: ByteSource;
  readonly extents: Extents;

  constructor(source: ByteSource, end: number) {
    this.source = source;
    this.extents = new Extents(end);
  }

  /** Of a part that belongs to nothing else. */
  part(at: number, bytes: number, what: string, mark: string | null = null): Cursor {
    this.extents.claim(at, bytes, what);
    const cursor = this.cursor(at, bytes, what);
    if (mark !== null && String.fromCharCode(...cursor.bytes(4)) !== mark) {
      throw new Damaged(`at byte ${String(at)} is not ${what}, which its file says to be there`);
    }
    return cursor;
  }

  cursor(at: number, bytes: number, what: string): Cursor {
    if (at + bytes > this.source.sizeBytes) throw new Damaged(`${what} ends behind its end`);
    return new Cursor(this.source, what, at, at + bytes, 1024);
  }

  /** All messages of an object, also those that its header did not have room for. */
  messages(at: number): readonly Message[] {
    const [prefix] = this.cursor(at, 16, 'an object').bytes(4);
    if (prefix === 'O'.charCodeAt(0)) throw new NotLoadable(NEWER);
    const head = this.part(at, 16, 'an object');
    if (head.u8() !== 1) throw new Damaged(`at byte ${String(at)} is no object`);
    head.skip(1);
    const count = head.u16();
    head.skip(4);
    const found: Message[] = [];
    const blocks = [{ at: at + 16, bytes: head.u32() }];
    for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
      const cursor = this.part(block.at, block.bytes, 'an object');
      while (cursor.left > 0) {
        const message = readMessage(cursor);
        found.push(message);
        if (found.length > MAX_MESSAGES) throw new Damaged('an object has messages without end');
        if (message.type !== CONTINUATION) continue;
        const more = this.cursor(message.at, 16, 'an object');
        blocks.push({ at: more.u64(), bytes: more.u64() });
      }
    }
    if (found.length !== count) throw new Damaged('an object has another number of messages');
    return found;
  }
}

export const NEWER = 'it is laid out in the newer way of HDF5, which Leasehold does not look into';

function readMessage(cursor: Cursor): Message {
  const [type, bytes, flags] = [cursor.u16(), cursor.u16(), cursor.u8()];
  cursor.skip(3);
  const { at } = cursor;
  if (type > MAX_TYPE || bytes % 8 !== 0) throw new Damaged('an object has a message of no kind');
  cursor.skip(bytes);
  return { type, isShared: (flags & 2) !== 0, at, bytes };
}
