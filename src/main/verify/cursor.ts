import type { ByteSource } from './byte-source.ts';
import { Damaged, NotLoadable } from './damage.ts';

const LINE_FEED = 0x0a;
const WINDOW_BYTES = 64 * 1024;

/** Reads a part of a file in its order, a window at a time. What it is asked for beyond the end of that part is damage. */
export class Cursor {
  readonly #source: ByteSource;
  readonly #of: string;
  readonly #end: number;
  readonly #windowBytes: number;
  #window: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #windowAt = 0;
  #at: number;

  /** @param of What is read, to begin a clause with. */
  constructor(
    source: ByteSource,
    of: string,
    at = 0,
    end = source.sizeBytes,
    windowBytes = WINDOW_BYTES,
  ) {
    this.#source = source;
    this.#of = of;
    this.#at = at;
    this.#end = end;
    this.#windowBytes = windowBytes;
  }

  get at(): number {
    return this.#at;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  u8(): number {
    const at = this.#step(1);
    return this.#view.getUint8(at);
  }

  u16(): number {
    const at = this.#step(2);
    return this.#view.getUint16(at, true);
  }

  u32(): number {
    const at = this.#step(4);
    return this.#view.getUint32(at, true);
  }

  i32(): number {
    const at = this.#step(4);
    return this.#view.getInt32(at, true);
  }

  /** What is beyond the exact numbers is longer than any file. */
  u64(): number {
    const at = this.#step(8);
    return Number(this.#view.getBigUint64(at, true));
  }

  /** Most significant byte first, as pickles have it. */
  f64(): number {
    const at = this.#step(8);
    return this.#view.getFloat64(at, false);
  }

  /** A copy. Only for what is bounded: what is longer than the file is damage before memory is taken for it. */
  bytes(length: number): Uint8Array {
    this.#need(length);
    if (length > this.#windowBytes) {
      const bytes = this.#source.read(this.#at, length);
      this.#at += length;
      return bytes;
    }
    const from = this.#step(length);
    return this.#window.slice(from, from + length);
  }

  /** Up to the next line feed, which is passed over. A window at a time: byte by byte a long one is made of as many strings. */
  line(maxBytes: number): string {
    let line = '';
    while (line.length <= maxBytes) {
      const from = this.#step(1);
      const rest = this.#window.subarray(from, from + maxBytes + 1 - line.length);
      const end = rest.indexOf(LINE_FEED);
      const part = end < 0 ? rest : rest.subarray(0, end);
      this.#at = this.#windowAt + from + part.length + (end < 0 ? 0 : 1);
      line += Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
      if (end >= 0) return line;
    }
    throw new NotLoadable(`${this.#of} has a longer line than Leasehold reads`);
  }

  skip(length: number): void {
    this.#need(length);
    this.#at += length;
  }

  /** Where its next bytes stand in the window. */
  #step(length: number): number {
    this.#need(length);
    const offset = this.#at - this.#windowAt;
    this.#at += length;
    if (offset >= 0 && offset + length <= this.#window.length) return offset;
    this.#windowAt = this.#at - length;
    const bytes = Math.min(this.#windowBytes, this.#end - this.#windowAt);
    this.#window = this.#source.read(this.#windowAt, bytes);
    const { buffer, byteOffset } = this.#window;
    this.#view = new DataView(buffer, byteOffset, bytes);
    return 0;
  }

  #need(length: number): void {
    if (length > this.left) throw new Damaged(`${this.#of} is cut off`);
  }
}
