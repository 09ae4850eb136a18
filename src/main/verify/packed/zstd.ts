import { Damaged } from '../damage.ts';
import { BROKEN } from './fse.ts';
import type { HuffmanTable } from './huffman.ts';
import { readLiterals } from './zstd-literals.ts';
import { readSequences, type SequenceTables } from './zstd-sequences.ts';

// By hand after RFC 8878, since the oldest runtime has no Zstandard, and no library for it in JavaScript is kept up.

const MARK = 0xfd2fb528;
const [SKIPPED_FROM, SKIPPED_TO] = [0x184d2a50, 0x184d2a5f];
const [RAW, ONE, PACKED] = [0, 1, 2];
const MAX_BLOCK_BYTES = 128 * 1024;

/** All frames of these bytes, unpacked into no more than `most`. The checksum of a frame is passed over. */
export function unpackZstd(packed: Uint8Array, most: number): Uint8Array {
  const unpacked = new Unpacked(most);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let at = 0; at < packed.length;) {
    if (at + 8 > packed.length) throw new Damaged(BROKEN);
    const mark = view.getUint32(at, true);
    if (mark >= SKIPPED_FROM && mark <= SKIPPED_TO) at += 8 + view.getUint32(at + 4, true);
    else if (mark === MARK) at = unpackFrame(packed, at + 4, unpacked);
    else throw new Damaged(BROKEN);
    if (at > packed.length) throw new Damaged(BROKEN);
  }
  return unpacked.bytes;
}

/** Where it ends. */
function unpackFrame(packed: Uint8Array, from: number, unpacked: Unpacked): number {
  let at = from;
  const number = (bytes: number): number => {
    if (at + bytes > packed.length) throw new Damaged(BROKEN);
    let value = 0;
    for (let no = 0; no < bytes; no += 1) value += (packed[at + no] ?? 0) * 256 ** no;
    at += bytes;
    return value;
  };
  const flags = number(1);
  const isAlone = (flags & 0x20) !== 0;
  if ((flags & 0x08) !== 0) throw new Damaged(BROKEN);
  if (!isAlone) number(1);
  if (number([0, 1, 2, 4][flags & 3] ?? 0) !== 0) throw new Damaged(BROKEN);
  const sizeKind = flags >> 6;
  const sizeBytes = [isAlone ? 1 : 0, 2, 4, 8][sizeKind] ?? 0;
  const said = number(sizeBytes) + (sizeKind === 1 ? 256 : 0);
  unpacked.beginFrame();
  for (let isLast = false; !isLast;) {
    const head = number(3);
    isLast = (head & 1) === 1;
    const [kind, size] = [(head >> 1) & 3, head >> 3];
    const packedBytes = kind === ONE ? 1 : size;
    if (size > MAX_BLOCK_BYTES || at + packedBytes > packed.length) throw new Damaged(BROKEN);
    const block = packed.subarray(at, at + packedBytes);
    at += packedBytes;
    if (kind === RAW) unpacked.add(block);
    else if (kind === ONE) unpacked.add(new Uint8Array(size).fill(block[0] ?? 0));
    else if (kind === PACKED) unpacked.addBlock(block);
    else throw new Damaged(BROKEN);
  }
  if (sizeBytes > 0 && unpacked.frameBytes !== said) throw new Damaged(BROKEN);
  if ((flags & 0x04) !== 0) number(4);
  return at;
}

/** What has been unpacked, with what the next block of a frame goes on with. */
class Unpacked {
  readonly #to: Uint8Array;
  #at = 0;
  #frameAt = 0;
  #letters: HuffmanTable | null = null;
  #tables: SequenceTables | null = null;
  #last: readonly [number, number, number] = [1, 4, 8];

  constructor(most: number) {
    this.#to = new Uint8Array(most);
  }

  get bytes(): Uint8Array {
    return this.#to.subarray(0, this.#at);
  }

  get frameBytes(): number {
    return this.#at - this.#frameAt;
  }

  beginFrame(): void {
    this.#frameAt = this.#at;
    this.#letters = null;
    this.#tables = null;
    this.#last = [1, 4, 8];
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > this.#to.length - this.#at) throw new Damaged(BROKEN);
    this.#to.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  addBlock(block: Uint8Array): void {
    const { bytes, used, table } = readLiterals(block, this.#letters);
    const { sequences, tables } = readSequences(block.subarray(used), this.#tables);
    [this.#letters, this.#tables] = [table, tables];
    let at = 0;
    for (const { literals, length, offset } of sequences) {
      if (literals > bytes.length - at) throw new Damaged(BROKEN);
      this.add(bytes.subarray(at, at + literals));
      at += literals;
      this.#repeat(this.#backOf(offset, literals === 0), length);
    }
    this.add(bytes.subarray(at));
  }

  #repeat(back: number, length: number): void {
    const at = this.#at;
    if (back < 1 || back > this.frameBytes || length > this.#to.length - at) {
      throw new Damaged(BROKEN);
    }
    if (back >= length) this.#to.copyWithin(at, at - back, at - back + length);
    // What it makes is what it goes on to repeat.
    else for (let no = at; no < at + length; no += 1) this.#to[no] = this.#to[no - back] ?? 0;
    this.#at += length;
  }

  /** Numbers up to three stand for the places that were used last; one further where no letters come before. */
  #backOf(offset: number, isWithoutLetters: boolean): number {
    const [first, second, third] = this.#last;
    const no = offset + (isWithoutLetters ? 1 : 0);
    if (offset > 3) this.#last = [offset - 3, first, second];
    else if (no === 2) this.#last = [second, first, third];
    else if (no === 3) this.#last = [third, first, second];
    else if (no === 4) this.#last = [first - 1, first, second];
    return this.#last[0];
  }
}
