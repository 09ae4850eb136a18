import { Damaged } from '../damage.ts';
import type { Effort } from './webp-lossless.ts';
import { COEFFICIENTS, COEFFICIENTS_CHANGE, MODES } from './webp-chances.ts';

const EVEN = 128;
const HEAD_BYTES = 10;
const [SEGMENTS, DELTAS, PARTS_BYTES] = [4, 4, 3];
/** Of planes of coefficients: brightness without and with its mean, means of brightness, colours. */
const [BRIGHT_REST, MEANS, COLOURS, BRIGHT] = [0, 1, 2, 3];
/** Which chances a coefficient has by its place. */
const BANDS = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7];
const [CHANCES, CONTEXTS] = [11, 3];
/** Of the extra bits of large coefficients, by their kind. */
const EXTRA = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
];
/** Where a four by four block is drawn on from, as a tree: what is not above zero is one of them. */
const MODE_TREE = [0, 1, -1, 2, -2, 3, 4, 6, -3, 5, -4, -5, -6, 7, -7, 8, -8, -9];
const MODE_COUNT = 10;
/** Modes of a whole block, as those of its parts. */
const [DC, TRUE_MOTION, VERTICAL, HORIZONTAL] = [0, 1, 2, 3];

/** Bits by their chances, one part of a picture. What is behind its end is damage. */
class ChanceBits {
  readonly #bytes: Uint8Array;
  #at = 0;
  #value = 0;
  #bits = -8;
  #range = 254;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Even where none of its bits is asked for, there has to be one. */
  begin(): void {
    if (this.#bits < 0) this.#fill();
  }

  get(chance: number): 0 | 1 {
    this.begin();
    const split = (this.#range * chance) >> 8;
    const isSet = this.#value >> this.#bits > split;
    if (isSet) {
      this.#range -= split + 1;
      this.#value -= (split + 1) << this.#bits;
    } else this.#range = split;
    // One less than the range is kept, which begins with a one in eight bits.
    const shift = this.#range < 0x7f ? Math.clz32(this.#range + 1) - 24 : 0;
    this.#range = ((this.#range + 1) << shift) - 1;
    this.#bits -= shift;
    return isSet ? 1 : 0;
  }

  number(bits: number): number {
    let value = 0;
    for (let no = 0; no < bits; no += 1) value = value * 2 + this.get(EVEN);
    return value;
  }

  /** One that is only there where a bit before it says so; its sign does not matter. */
  skipOptional(bits: number): void {
    if (this.get(EVEN) === 1) this.number(bits);
  }

  #fill(): void {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Damaged('a part of its pixels is missing');
    this.#at += 1;
    this.#value = (this.#value << 8) | byte;
    this.#bits += 8;
  }
}

/** A picture of one chunk, to the last of its coefficients: what colours they make is not asked. */
export function checkLossy(chunk: Buffer, effort: Effort): void {
  if (chunk.length < HEAD_BYTES) throw new Damaged('its pixels are cut off');
  const head = chunk.readUIntLE(0, 3);
  const firstBytes = head >> 5;
  if ((head & 1) !== 0 || ((head >> 1) & 7) > 3 || ((head >> 4) & 1) === 0) {
    throw new Damaged('its pixels are packed in a way that is not known');
  }
  const [width, height] = [chunk.readUInt16LE(6) & 0x3fff, chunk.readUInt16LE(8) & 0x3fff];
  if (firstBytes > chunk.length - HEAD_BYTES) throw new Damaged('its pixels are cut off');
  const first = new ChanceBits(chunk.subarray(HEAD_BYTES, HEAD_BYTES + firstBytes));
  first.number(2);
  const segments = readSegments(first);
  readFilter(first);
  const parts = readParts(chunk.subarray(HEAD_BYTES + firstBytes), 1 << first.number(2));
  first.number(7);
  for (let no = 0; no < 5; no += 1) first.skipOptional(5);
  first.get(EVEN);
  const chances = COEFFICIENTS.slice();
  for (const [no, change] of COEFFICIENTS_CHANGE.entries()) {
    if (first.get(change) === 1) chances[no] = first.number(8);
  }
  const skip = first.get(EVEN) === 1 ? first.number(8) : null;
  const blocks = { across: (width + 15) >> 4, down: (height + 15) >> 4 };
  checkBlocks(first, parts, { chances, segments, skip }, blocks, effort);
}

/** The chances of what tells which segment a block is of; null: nothing does. */
function readSegments(bits: ChanceBits): readonly number[] | null {
  if (bits.get(EVEN) === 0) return null;
  const hasMap = bits.get(EVEN) === 1;
  if (bits.get(EVEN) === 1) {
    bits.get(EVEN);
    for (let no = 0; no < SEGMENTS; no += 1) bits.skipOptional(8);
    for (let no = 0; no < SEGMENTS; no += 1) bits.skipOptional(7);
  }
  if (!hasMap) return null;
  return [0, 1, 2].map(() => (bits.get(EVEN) === 1 ? bits.number(8) : 255));
}

function readFilter(bits: ChanceBits): void {
  bits.number(1 + 6 + 3);
  if (bits.get(EVEN) === 0 || bits.get(EVEN) === 0) return;
  for (let no = 0; no < 2 * DELTAS; no += 1) bits.skipOptional(7);
}

/** Rows of blocks take turns in them. The last one has what is left. */
function readParts(rest: Buffer, count: number): readonly ChanceBits[] {
  let at = (count - 1) * PARTS_BYTES;
  if (at > rest.length) throw new Damaged('its pixels are cut off');
  return Array.from({ length: count }, (_, no) => {
    const bytes = no === count - 1 ? rest.length - at : rest.readUIntLE(no * PARTS_BYTES, 3);
    if (no === count - 1 && bytes === 0) throw new Damaged('its pixels are cut off');
    const part = rest.subarray(at, at + bytes);
    at += part.length;
    return new ChanceBits(part);
  });
}

interface Told {
  readonly chances: Uint8Array;
  readonly segments: readonly number[] | null;
  readonly skip: number | null;
}

function checkBlocks(
  first: ChanceBits,
  parts: readonly ChanceBits[],
  told: Told,
  { across, down }: { readonly across: number; readonly down: number },
  effort: Effort,
): void {
  const topModes = new Uint8Array(4 * across);
  // Of the blocks above and to the left, whether they had anything: four of brightness, twice two of colours, and their mean.
  const above = new Uint8Array(9 * across);
  const row: { isWhole: boolean; isSkipped: boolean }[] = [];
  for (let y = 0; y < down; y += 1) {
    const leftModes = new Uint8Array(4);
    for (let x = 0; x < across; x += 1) {
      effort.spend(1);
      row[x] = readModes(first, told, topModes.subarray(4 * x, 4 * x + 4), leftModes);
    }
    const part = parts[y & (parts.length - 1)];
    if (part === undefined) throw new Error('A row of blocks is in no part.');
    part.begin();
    const left = new Uint8Array(9);
    for (const [x, { isWhole, isSkipped }] of row.entries()) {
      const top = above.subarray(9 * x, 9 * x + 9);
      if (!isSkipped) readBlock(part, told.chances, isWhole, top, left, effort);
      else {
        for (const side of [top, left]) side.fill(0, 0, isWhole ? 9 : 8);
      }
    }
  }
}

/** What a block is drawn on from, and whether nothing else follows. */
function readModes(
  bits: ChanceBits,
  { segments, skip }: Told,
  top: Uint8Array,
  left: Uint8Array,
): { readonly isWhole: boolean; readonly isSkipped: boolean } {
  if (segments !== null) bits.get(segments[bits.get(segments[0] ?? 0) + 1] ?? 0);
  const isSkipped = skip !== null && bits.get(skip) === 1;
  const isWhole = bits.get(145) === 1;
  if (isWhole) {
    const mode =
      bits.get(156) === 1
        ? bits.get(128) === 1
          ? TRUE_MOTION
          : HORIZONTAL
        : bits.get(163) === 1
          ? VERTICAL
          : DC;
    top.fill(mode);
    left.fill(mode);
  } else {
    for (let y = 0; y < 4; y += 1) {
      let mode = left[y] ?? 0;
      for (let x = 0; x < 4; x += 1) {
        const from = ((top[x] ?? 0) * MODE_COUNT + mode) * (MODE_COUNT - 1);
        let at = MODE_TREE[bits.get(MODES[from] ?? 0)] ?? 0;
        while (at > 0) at = MODE_TREE[2 * at + bits.get(MODES[from + at] ?? 0)] ?? 0;
        mode = -at;
        top[x] = mode;
      }
      left[y] = mode;
    }
  }
  if (bits.get(142) === 1 && bits.get(114) === 1) bits.get(183);
  return { isWhole, isSkipped };
}

function readBlock(
  bits: ChanceBits,
  chances: Uint8Array,
  isWhole: boolean,
  top: Uint8Array,
  left: Uint8Array,
  effort: Effort,
): void {
  const read = (plane: number, from: number, x: number, y: number): void => {
    effort.spend(1);
    const context = (top[x] ?? 0) + (left[y] ?? 0);
    const has = readCoefficients(bits, chances, plane, context, from) ? 1 : 0;
    top[x] = has;
    left[y] = has;
  };
  if (isWhole) read(MEANS, 0, 8, 8);
  for (let no = 0; no < 16; no += 1) {
    read(isWhole ? BRIGHT_REST : BRIGHT, isWhole ? 1 : 0, no & 3, no >> 2);
  }
  for (const colour of [4, 6]) {
    for (let no = 0; no < 4; no += 1) read(COLOURS, 0, colour + (no & 1), colour + (no >> 1));
  }
}

/** Whether there are any. */
function readCoefficients(
  bits: ChanceBits,
  chances: Uint8Array,
  plane: number,
  context: number,
  from: number,
): boolean {
  const chancesAt = (no: number, of: number): number =>
    ((plane * 8 + (BANDS[no] ?? 0)) * CONTEXTS + of) * CHANCES;
  let at = chancesAt(from, context);
  const get = (no: number): 0 | 1 => bits.get(chances[at + no] ?? 0);
  for (let no = from; no < 16; no += 1) {
    if (get(0) === 0) return no > from;
    while (get(1) === 0) {
      no += 1;
      if (no === 16) return true;
      at = chancesAt(no, 0);
    }
    const isLarge = get(2) === 1;
    if (isLarge) readLarge(bits, get);
    bits.get(EVEN);
    at = chancesAt(no + 1, isLarge ? 2 : 1);
  }
  return true;
}

function readLarge(bits: ChanceBits, get: (no: number) => 0 | 1): void {
  if (get(3) === 0) {
    if (get(4) === 1) get(5);
  } else if (get(6) === 0) {
    if (get(7) === 0) bits.get(159);
    else {
      bits.get(165);
      bits.get(145);
    }
  } else {
    const high = get(8);
    for (const chance of EXTRA[2 * high + get(9 + high)] ?? []) bits.get(chance);
  }
}
