import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { Extents } from '../extents.ts';
import { Lists } from './lists.ts';
import { lookup3 } from './lookup3.ts';

/** An address that leads nowhere: nothing was written there yet. */
export const isNowhere = (address: number): boolean => address >= NOWHERE;
/** All bits of it are set. */
const NOWHERE = 2 ** 64;

export const SUM_BYTES = 4;
/** Of a part that is read at once for its checksum; the library makes none larger than a few of these. */
const MAX_SUMMED_BYTES = 16 * 1024 * 1024;

/** A part that has a checksum. */
export interface Summed {
  readonly at: number;
  /** With the checksum, which stands at its end. */
  readonly bytes: number;
  readonly what: string;
  readonly mark: string | null;
  /** With what may follow it later. */
  readonly room?: number;
}

/** What every part of the format is read with: small windows, since its parts lie all over the file. */
export class Hdf5File {
  readonly source: ByteSource;
  readonly extents: Extents;
  readonly lists: Lists;

  readonly #end: number;

  constructor(source: ByteSource, end: number) {
    this.#end = end;
    this.source = source;
    this.extents = new Extents(end);
    this.lists = new Lists(this);
  }

  /** The same file, for what is looked at beside its own place. */
  aside(): Hdf5File {
    return new Hdf5File(this.source, this.#end);
  }

  /** Of a part that belongs to nothing else. */
  part(at: number, bytes: number, what: string, mark: string | null = null): Cursor {
    this.extents.claim(at, bytes, what);
    const cursor = this.cursor(at, bytes, what);
    if (mark !== null) checkMark(cursor, at, what, mark);
    return cursor;
  }

  /** The same of one that has a checksum, from behind its mark on. */
  summed({ at, bytes, what, mark, room = bytes }: Summed): Cursor {
    this.extents.claim(at, Math.max(bytes, room), what);
    const content = this.read(at, bytes, what);
    const cursor = this.cursor(at, bytes - SUM_BYTES, what);
    if (mark !== null) checkMark(cursor, at, what, mark);
    const view = new DataView(content.buffer, content.byteOffset, bytes);
    if (lookup3(content.subarray(0, -SUM_BYTES)) !== view.getUint32(bytes - SUM_BYTES, true)) {
      throw new Damaged(`the checksum of ${what} is wrong`);
    }
    return cursor;
  }

  read(at: number, bytes: number, what: string): Uint8Array {
    if (at + bytes > this.source.sizeBytes) throw new Damaged(`${what} ends behind its end`);
    if (bytes > MAX_SUMMED_BYTES) {
      throw new NotLoadable(`${what} is longer than Leasehold reads at once`);
    }
    return this.source.read(at, bytes);
  }

  cursor(at: number, bytes: number, what: string): Cursor {
    if (at + bytes > this.source.sizeBytes) throw new Damaged(`${what} ends behind its end`);
    return new Cursor(this.source, what, at, at + bytes, 1024);
  }
}

function checkMark(cursor: Cursor, at: number, what: string, mark: string): void {
  if (String.fromCharCode(...cursor.bytes(4)) === mark) return;
  throw new Damaged(`at byte ${String(at)} is not ${what}, which its file says to be there`);
}

/** A number of as many bytes as it takes. */
export function uint(cursor: Cursor, bytes: number): number {
  return cursor.bytes(bytes).reduceRight((value, byte) => value * 256 + byte, 0);
}

/** How many bytes hold every number up to this one. */
export const widthOf = (most: number): number => Math.floor(Math.log2(Math.max(1, most)) / 8) + 1;
