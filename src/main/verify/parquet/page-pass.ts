import { crc32 } from '../crc32.ts';
import { Damaged } from '../damage.ts';
import { CODECS } from './codecs.ts';
import { ListLengths, ListLevels } from './list-lengths.ts';
import type { Chunk } from './metadata.ts';
import { checkPage, type DictionarySize } from './page-content.ts';
import type { Page } from './pages.ts';

/** A page is held in memory while it is unpacked, and so is what it unpacks to: no larger one is. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** The content of each page against its checksum and size, while the file passes by. */
export class PagePass {
  readonly #pages: Iterator<Page, void>;
  #page: Page | null = null;
  #held: Uint8Array | null = null;
  #crc = 0;
  #dictionary: { readonly of: Chunk | null; readonly size: DictionarySize } = {
    of: null,
    size: null,
  };
  /** How many rows began in the pages of a column so far; null: not all of them tell. */
  #rows: number | null = 0;
  #levels: ListLevels | null = null;
  readonly #lists = new ListLengths();
  /** Why the content of some pages is not unpacked; null: all are. */
  notUnpacked: string | null = null;

  /** @param pages In the order in which they lie in the file. */
  constructor(pages: Iterator<Page, void>) {
    this.#pages = pages;
    this.#next();
  }

  take(piece: Uint8Array, at: number): void {
    for (;;) {
      const page = this.#page;
      if (page === null || page.at > at + piece.length) return;
      const end = page.at + page.bytes;
      const from = Math.max(0, page.at - at);
      const part = piece.subarray(from, Math.max(from, end - at));
      if (page.crc !== null) this.#crc = crc32(part, this.#crc);
      this.#held?.set(part, at + from - page.at);
      if (end > at + piece.length) return;
      this.#finish(page);
      this.#next();
    }
  }

  #next(): void {
    const next = this.#pages.next();
    const before = this.#page?.chunk;
    if (before !== undefined && (next.done === true || next.value.chunk !== before)) {
      if (this.#rows !== null && this.#rows !== before.rows) {
        throw new Damaged(`${before.of} has another number of rows than its group`);
      }
      if (this.#rows !== null && this.#levels !== null) this.#lists.end(before, this.#levels);
      this.#rows = 0;
      this.#levels = null;
    }
    this.#page = next.done === true ? null : next.value;
    this.#crc = 0;
    this.#held = this.#page === null ? null : this.#memoryFor(this.#page);
  }

  /** Null: its content is not looked at. */
  #memoryFor({ chunk, bytes, plainBytes, isPacked, unpackedBytes }: Page): Uint8Array | null {
    const codec = CODECS[chunk.codec];
    const isLarge = Math.max(bytes, unpackedBytes) > MAX_PAGE_BYTES;
    if (chunk.codec === 0 || !isPacked) {
      if (bytes !== unpackedBytes) {
        throw new Damaged(`a page of ${chunk.of} is not packed, and has two sizes`);
      }
      return isLarge ? null : new Uint8Array(bytes);
    }
    // What is nothing at all may be packed into nothing.
    if (bytes === plainBytes && unpackedBytes === plainBytes) return new Uint8Array(bytes);
    if (codec?.unpack === undefined) {
      this.notUnpacked ??= `${chunk.of} is packed with ${codec?.name ?? 'something'}, which Leasehold does not unpack`;
      return null;
    }
    if (isLarge) {
      this.notUnpacked ??= `${chunk.of} has a page that is larger than Leasehold unpacks`;
      return null;
    }
    return new Uint8Array(bytes);
  }

  #finish(page: Page): void {
    const { chunk, crc } = page;
    if (crc !== null && crc !== this.#crc) {
      throw new Damaged(`a page of ${chunk.of} has another checksum than it should have`);
    }
    if (this.#held === null) {
      // Of a dictionary that was not looked at, nothing is known.
      this.#dictionary = { of: chunk, size: Infinity };
      this.#rows = null;
      return;
    }
    const before = this.#dictionary.of === chunk ? this.#dictionary.size : null;
    const content = unpacked(page, this.#held);
    this.#levels ??= new ListLevels(chunk);
    const { dictionary, rows } = checkPage(page, content, before, this.#levels);
    this.#dictionary = { of: chunk, size: dictionary };
    this.#rows = rows === null || this.#rows === null ? null : this.#rows + rows;
  }
}

/** What was never packed in a page, and what was, in one. */
function unpacked(
  { chunk, plainBytes, isPacked, bytes, unpackedBytes }: Page,
  held: Uint8Array,
): Buffer {
  const unpack = isPacked && bytes > plainBytes ? CODECS[chunk.codec]?.unpack : undefined;
  if (unpack === undefined) return Buffer.from(held.buffer, held.byteOffset, held.length);
  const whole = Buffer.alloc(unpackedBytes);
  whole.set(held.subarray(0, plainBytes));
  const values = whole.subarray(plainBytes);
  if (unpack(held.subarray(plainBytes), values) !== values.length) {
    throw new Damaged(`a page of ${chunk.of} unpacks to another size than it says`);
  }
  return whole;
}
