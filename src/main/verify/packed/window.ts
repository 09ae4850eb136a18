import { notUnpacked } from '../damage.ts';

const LEAST_BYTES = 1024;
/** From here on it is made whole at once: the system gives memory only where something is written to it. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** More than is ever added or repeated at once. */
const MOST_AT_ONCE = 256 * 1024;

/**
 * What was unpacked last, as far back as later parts may refer to; what is older has been handed on. It grows with what there is, and not
 * with what a file claims.
 */
export class Window {
  readonly #reach: number;
  readonly #take: (piece: Uint8Array) => void;
  /** Made with the first byte: of windows of nothing a file may have very many. */
  #bytes = new Uint8Array(0);
  #at = 0;
  #handedOn = 0;
  #length = 0;

  /** @param take Gets all that is unpacked, in pieces that are used again after it returns. */
  constructor(reach: number, take: (piece: Uint8Array) => void) {
    this.#reach = reach;
    this.#take = take;
  }

  /** How much was unpacked since it was begun. */
  get length(): number {
    return this.#length;
  }

  /** What comes refers to nothing that was before. */
  begin(): void {
    this.#length = 0;
  }

  add(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#advance(bytes.length);
  }

  fill(byte: number, length: number): void {
    this.#makeRoom(length);
    this.#bytes.fill(byte, this.#at, this.#at + length);
    this.#advance(length);
  }

  addByte(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#at] = byte;
    this.#advance(1);
  }

  /** The byte so far back, 1 being the last one; zero where there is none. */
  back(distance: number): number {
    return distance > this.#length ? 0 : (this.#bytes[this.#at - distance] ?? 0);
  }

  repeat(distance: number, length: number): void {
    const isWithin = distance >= 1 && distance <= Math.min(this.#length, this.#reach);
    if (!isWithin || length > MOST_AT_ONCE) throw notUnpacked();
    this.#makeRoom(length);
    const [bytes, at] = [this.#bytes, this.#at];
    if (distance >= length) bytes.copyWithin(at, at - distance, at - distance + length);
    // What it makes is what it goes on to repeat.
    else for (let no = at; no < at + length; no += 1) bytes[no] = bytes[no - distance] ?? 0;
    this.#advance(length);
  }

  handOn(): void {
    if (this.#at > this.#handedOn) this.#take(this.#bytes.subarray(this.#handedOn, this.#at));
    this.#handedOn = this.#at;
  }

  #advance(bytes: number): void {
    this.#at += bytes;
    this.#length += bytes;
  }

  #makeRoom(bytes: number): void {
    const wanted = this.#at + bytes;
    if (wanted <= this.#bytes.length) return;
    this.handOn();
    const kept = Math.min(this.#reach, this.#at);
    // What is kept is moved to the front once in a quarter of it, and not for each piece.
    const most = Math.floor(this.#reach * 1.25) + 2 * MOST_AT_ONCE;
    const wished = Math.max(LEAST_BYTES, 2 * (kept + bytes));
    const size = wished > LARGE_BYTES ? most : Math.min(most, wished);
    const to = size > this.#bytes.length ? new Uint8Array(size) : this.#bytes;
    to.set(this.#bytes.subarray(this.#at - kept, this.#at));
    this.#bytes = to;
    this.#at = kept;
    this.#handedOn = kept;
  }
}
