import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { BROKEN } from './fse.ts';
import type { HuffmanTable } from './huffman.ts';
import { Window } from './window.ts';
import { Xxhash64 } from './xxhash64.ts';
import { readLiterals } from './zstd-literals.ts';
import { IN_ROW, readSequences, type SequenceTables } from './zstd-sequences.ts';

// By hand after RFC 8878, since the oldest runtime has no Zstandard, and no library for it in JavaScript is kept up.

const MARK = 0xfd2fb528;
const [SKIPPED_FROM, SKIPPED_TO] = [0x184d2a50, 0x184d2a5f];
const [RAW, ONE, PACKED] = [0, 1, 2];
const MAX_BLOCK_BYTES = 128 * 1024;
const NONE = new Uint8Array(0);
export const MARK_BYTES = 4;
export const BLOCK_HEAD_BYTES = 3;
export const CHECKSUM_BYTES = 4;

/** Of the four bytes that a frame begins with: whether it is passed over, behind the four that say its length. */
export function isSkipped(mark: number): boolean {
  if (mark >= SKIPPED_FROM && mark <= SKIPPED_TO) return true;
  if (mark !== MARK) throw new Damaged(BROKEN);
  return false;
}

export interface FrameHead {
  /** How far back it refers. */
  readonly reach: number;
  /** Null: it does not say how much it unpacks to. */
  readonly length: number | null;
  readonly hasChecksum: boolean;
}

const DICTIONARY_BYTES = [0, 1, 2, 4];
const LENGTH_BYTES = [0, 2, 4, 8];
const isAlone = (flags: number): boolean => (flags & 0x20) !== 0;
const dictionaryBytesOf = (flags: number): number => DICTIONARY_BYTES[flags & 3] ?? 0;
const lengthBytesOf = (flags: number): number =>
  flags >> 6 === 0 && isAlone(flags) ? 1 : (LENGTH_BYTES[flags >> 6] ?? 0);

/** How much follows the first byte of the head of a frame. */
export const frameHeadBytes = (flags: number): number =>
  (isAlone(flags) ? 0 : 1) + dictionaryBytesOf(flags) + lengthBytesOf(flags);

/** @param rest What follows the first byte. */
export function readFrameHead(flags: number, rest: Uint8Array): FrameHead {
  if ((flags & 0x08) !== 0) throw new Damaged(BROKEN);
  const reachBytes = isAlone(flags) ? 0 : 1;
  const [exponent, mantissa] = [(rest[0] ?? 0) >> 3, (rest[0] ?? 0) & 7];
  const window = 2 ** (10 + exponent) * (1 + mantissa / 8);
  const dictionaryEnd = reachBytes + dictionaryBytesOf(flags);
  if (rest.subarray(reachBytes, dictionaryEnd).some((byte) => byte !== 0)) {
    throw new NotLoadable('it was packed with a dictionary that is not in it');
  }
  const lengthBytes = lengthBytesOf(flags);
  const said = littleEndian(rest.subarray(dictionaryEnd)) + (lengthBytes === 2 ? 256 : 0);
  const length = lengthBytes === 0 ? null : said;
  return { reach: isAlone(flags) ? said : window, length, hasChecksum: (flags & 0x04) !== 0 };
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

/** The blocks of one frame, each unpacked into what the next ones may repeat. */
export class Frame {
  readonly #head: FrameHead;
  readonly #window: Window;
  readonly #sum: Xxhash64 | null;
  #kind = RAW;
  #size = 0;
  #isLast = false;
  #letters: HuffmanTable | null = null;
  #tables: SequenceTables | null = null;
  #last: readonly [number, number, number] = [1, 4, 8];

  /** @param take Gets what is unpacked, in pieces that are used again after it returns. */
  constructor(head: FrameHead, take: (piece: Uint8Array) => void) {
    const sum = head.hasChecksum ? new Xxhash64() : null;
    this.#head = head;
    this.#sum = sum;
    this.#window = new Window(head.reach, (piece) => {
      sum?.take(piece);
      take(piece);
    });
  }

  get isLast(): boolean {
    return this.#isLast;
  }

  /** How many bytes of the block follow its head. */
  beginBlock(bytes: Uint8Array): number {
    const head = littleEndian(bytes);
    [this.#kind, this.#size] = [(head >> 1) & 3, head >> 3];
    this.#isLast = (head & 1) === 1;
    if (this.#kind > PACKED || this.#size > MAX_BLOCK_BYTES) throw new Damaged(BROKEN);
    return this.#kind === ONE ? 1 : this.#size;
  }

  addBlock(block: Uint8Array): void {
    const before = this.#window.length;
    if (this.#kind === RAW) this.#window.add(block);
    else if (this.#kind === ONE) this.#window.fill(block[0] ?? 0, this.#size);
    else this.#unpackBlock(block, before + MAX_BLOCK_BYTES);
    this.#window.handOn();
  }

  /** @param checksum Its lower half, or nothing where it has none. */
  end(checksum: Uint8Array | null): void {
    const { length } = this.#head;
    if (length !== null && this.#window.length !== length) throw new Damaged(BROKEN);
    if (this.#sum !== null && this.#sum.lowHalf() !== littleEndian(checksum ?? NONE)) {
      throw new Damaged('what it unpacks to has another checksum than it should have');
    }
  }

  #unpackBlock(block: Uint8Array, most: number): void {
    const { bytes, used, table } = readLiterals(block, this.#letters);
    const { sequences, tables } = readSequences(block.subarray(used), this.#tables);
    [this.#letters, this.#tables] = [table, tables];
    let at = 0;
    for (let no = 0; no < sequences.length; no += IN_ROW) {
      const [literals, length, offset] = [
        sequences[no] ?? 0,
        sequences[no + 1] ?? 0,
        sequences[no + 2] ?? 0,
      ];
      const isTooLong = this.#window.length + literals + length > most;
      if (literals > bytes.length - at || isTooLong) throw new Damaged(BROKEN);
      if (literals > 0) this.#window.add(bytes.subarray(at, at + literals));
      at += literals;
      this.#window.repeat(this.#backOf(offset, literals === 0), length);
    }
    if (this.#window.length + bytes.length - at > most) throw new Damaged(BROKEN);
    this.#window.add(bytes.subarray(at));
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

/** How much all frames of these bytes unpack to, which may be no more than `most`. */
export const unpackZstd = (
  packed: Uint8Array,
  most: number,
  take: (piece: Uint8Array) => void = () => undefined,
): number =>
  unpackZstdOf(
    { sizeBytes: packed.length, read: (at, length) => packed.subarray(at, at + length) },
    most,
    take,
  );

/** The same of a file, of which no more than a block is held. */
export function unpackZstdOf(
  packed: ByteSource,
  most: number,
  take: (piece: Uint8Array) => void = () => undefined,
): number {
  let [at, bytes] = [0, 0];
  const next = (length: number): Uint8Array => {
    if (length > packed.sizeBytes - at) throw new Damaged(BROKEN);
    at += length;
    return packed.read(at - length, length);
  };
  const count = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes > most) throw new Damaged(BROKEN);
    take(piece);
  };
  while (at < packed.sizeBytes) {
    if (isSkipped(littleEndian(next(MARK_BYTES)))) skip(littleEndian(next(4)));
    else unpackFrame(next, most, count);
  }
  return bytes;

  function skip(length: number): void {
    if (length > packed.sizeBytes - at) throw new Damaged(BROKEN);
    at += length;
  }
}

function unpackFrame(
  next: (length: number) => Uint8Array,
  most: number,
  take: (piece: Uint8Array) => void,
): void {
  const [flags = 0] = next(1);
  const head = readFrameHead(flags, next(frameHeadBytes(flags)));
  const frame = new Frame({ ...head, reach: Math.min(head.reach, most) }, take);
  while (!frame.isLast) frame.addBlock(next(frame.beginBlock(next(BLOCK_HEAD_BYTES))));
  frame.end(head.hasChecksum ? next(CHECKSUM_BYTES) : null);
}
