import { Damaged, NotLoadable } from '../damage.ts';
import { LowBits, readCode, type Code } from './webp-codes.ts';

const MARK = 0x2f;
/** Literals, lengths of what comes again, and behind them the colours that came last. */
const [GREEN, LENGTHS, CHANNEL, DISTANCES] = [256, 24, 256, 40];
const CACHE = GREEN + LENGTHS;
const MAX_CACHE_BITS = 11;
const PALETTE = 3;
const SUBTRACT_GREEN = 2;
/** Of tables together. */
const MAX_ENTRIES = 16 * 1024 * 1024;
const HASH = 0x1e35a7bd;

/** Of symbols: what it takes to read a table of codes, and one of a single symbol. */
const [CODE_EFFORT, ONLY_EFFORT] = [1000, 50];

/** How much of a file’s pictures is unpacked in all; each symbol is one. Pixels that take no bits would keep a reader for as long as a file likes. */
export class Effort {
  #left = 1 << 26;

  spend(symbols: number): void {
    this.#left -= symbols;
    if (this.#left < 0) throw new NotLoadable('it has more pixels than Leasehold unpacks');
  }
}

/** A chunk that holds a picture, with the size of it before its bits. */
export function checkLossless(chunk: Uint8Array, effort: Effort): void {
  const bits = new LowBits(chunk);
  if (bits.take(8) !== MARK) throw new Damaged('its pixels are not packed as they say');
  const [width, height] = [bits.take(14) + 1, bits.take(14) + 1];
  bits.take(1);
  if (bits.take(3) !== 0) throw new Damaged('its pixels are packed in a way that is not known');
  new Lossless(bits, effort).picture(width, height);
}

/** How opaque each pixel is, packed as a picture of its own whose size is told elsewhere. */
export function checkAlpha(chunk: Uint8Array, width: number, height: number, effort: Effort): void {
  const [head] = chunk;
  if (head === undefined) throw new Damaged('what says how opaque it is, is empty');
  const [method, before, reserved] = [head & 3, (head >> 4) & 3, head >> 6];
  if (method > 1 || before > 1 || reserved > 1) {
    throw new Damaged('what says how opaque it is, is packed in a way that is not known');
  }
  const rest = chunk.subarray(1);
  if (method === 1) new Lossless(new LowBits(rest), effort).picture(width, height);
  else if (rest.length < width * height)
    throw new Damaged('what says how opaque it is, is cut off');
}

interface Group {
  readonly green: Code;
  readonly red: Code;
  readonly blue: Code;
  readonly alpha: Code;
  readonly distance: Code;
  /** All of its pixels have one colour, and take no bits. */
  readonly isPlain: boolean;
}

interface Groups {
  readonly all: readonly Group[];
  /** Which of them a block of pixels is packed by; null: there is one. */
  readonly blocks: {
    readonly bits: number;
    readonly perRow: number;
    readonly of: Uint32Array;
  } | null;
}

/** Pixels by their codes. What colours they have is asked only of those that tell which codes come next. */
class Lossless {
  readonly #bits: LowBits;
  readonly #effort: Effort;
  #entries = 0;

  constructor(bits: LowBits, effort: Effort) {
    this.#bits = bits;
    this.#effort = effort;
  }

  picture(width: number, height: number): void {
    this.#image(this.#transforms(width, height), height, true);
  }

  /** How wide what is packed is: several pixels are in one where there are few colours. */
  #transforms(width: number, height: number): number {
    const seen = new Set<number>();
    let packed = width;
    while (this.#bits.take(1) === 1) {
      const kind = this.#bits.take(2);
      if (seen.has(kind)) throw new Damaged('its pixels are changed twice in one way');
      seen.add(kind);
      if (kind === PALETTE) {
        const colours = this.#bits.take(8) + 1;
        const bits = colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3;
        packed = blocksIn(packed, bits);
        this.#image(colours, 1, false);
      } else if (kind !== SUBTRACT_GREEN) {
        const bits = this.#bits.take(3) + 2;
        this.#image(blocksIn(packed, bits), blocksIn(height, bits), false);
      }
    }
    return packed;
  }

  #image(width: number, height: number, isWhole: boolean, keep?: Uint32Array): void {
    const cacheBits = this.#bits.take(1) === 1 ? this.#bits.take(4) : null;
    if (cacheBits !== null && (cacheBits < 1 || cacheBits > MAX_CACHE_BITS)) {
      throw new Damaged('its pixels remember a number of colours that none can');
    }
    const cached = cacheBits === null ? 0 : 1 << cacheBits;
    this.#pixels(width, height, this.#groups(width, height, cached, isWhole), cached, keep);
  }

  #groups(width: number, height: number, cached: number, isWhole: boolean): Groups {
    if (!isWhole || this.#bits.take(1) === 0) return { all: [this.#group(cached)], blocks: null };
    const bits = this.#bits.take(3) + 2;
    const [perRow, rows] = [blocksIn(width, bits), blocksIn(height, bits)];
    this.#effort.spend(perRow * rows);
    const of = new Uint32Array(perRow * rows);
    this.#image(perRow, rows, false, of);
    let most = 0;
    for (const [no, colour] of of.entries()) {
      const group = (colour >> 8) & 0xffff;
      of[no] = group;
      most = Math.max(most, group);
    }
    const all = Array.from({ length: most + 1 }, () => this.#group(cached));
    return { all, blocks: { bits, perRow, of } };
  }

  #group(cached: number): Group {
    const [green, red, blue, alpha] = [CACHE + cached, CHANNEL, CHANNEL, CHANNEL].map((symbols) =>
      this.#code(symbols),
    ) as [Code, Code, Code, Code];
    const distance = this.#code(DISTANCES);
    const isPlain =
      [green, red, blue, alpha].every(({ only }) => only !== null) && (green.only ?? GREEN) < GREEN;
    return { green, red, blue, alpha, distance, isPlain };
  }

  #code(symbols: number): Code {
    const code = readCode(this.#bits, symbols);
    this.#effort.spend(code.only === null ? CODE_EFFORT : ONLY_EFFORT);
    this.#entries += code.symbols.length + code.table.length;
    if (this.#entries > MAX_ENTRIES) {
      throw new NotLoadable('its pixels have more tables of codes than Leasehold looks at');
    }
    return code;
  }

  #pixels(width: number, height: number, groups: Groups, cached: number, keep?: Uint32Array): void {
    const { all, blocks } = groups;
    const total = width * height;
    const cache = keep === undefined ? null : new Colours(cached);
    const bits = this.#bits;
    let [x, y] = [0, 0];
    for (let at = 0; at < total;) {
      this.#effort.spend(1);
      const no =
        blocks === null
          ? 0
          : (blocks.of[(y >> blocks.bits) * blocks.perRow + (x >> blocks.bits)] ?? 0);
      const group = all[no];
      if (group === undefined) throw new Error(`No group ${String(no)} of codes was read.`);
      const symbol = bits.code(group.green);
      let length = 1;
      if (symbol < GREEN) {
        const [red, blue, alpha] = [
          bits.code(group.red),
          bits.code(group.blue),
          bits.code(group.alpha),
        ];
        if (group.isPlain) {
          const block = blocks === null ? total : ((x >> blocks.bits) + 1) << blocks.bits;
          length = Math.min(total - at, blocks === null ? total : Math.min(width, block) - x);
        }
        const colour = ((alpha << 24) | (red << 16) | (symbol << 8) | blue) >>> 0;
        keep?.fill(colour, at, at + length);
        cache?.add(colour);
      } else if (symbol < CACHE) {
        length = this.#prefixed(symbol - GREEN);
        const distance = distanceOf(width, this.#prefixed(bits.code(group.distance)));
        if (distance > at || length > total - at) {
          throw new Damaged('its pixels repeat some that are not there');
        }
        for (let to = keep === undefined ? Infinity : at; to < at + length; to += 1) {
          const colour = keep?.[to - distance] ?? 0;
          keep?.fill(colour, to, to + 1);
          cache?.add(colour);
        }
      } else if (keep !== undefined && cache !== null) {
        const colour = cache.at(symbol - CACHE);
        keep[at] = colour;
        cache.add(colour);
      }
      at += length;
      x += length;
      if (x >= width) {
        y += Math.floor(x / width);
        x %= width;
      }
    }
  }

  /** A number by its length in bits and those bits. */
  #prefixed(symbol: number): number {
    if (symbol < 4) return symbol + 1;
    const bits = (symbol - 2) >> 1;
    return ((2 + (symbol & 1)) << bits) + this.#bits.take(bits) + 1;
  }
}

/** The colours that came last, by a hash of each. */
class Colours {
  readonly #colours: Uint32Array;
  readonly #shift: number;

  constructor(count: number) {
    this.#colours = new Uint32Array(count);
    this.#shift = 32 - Math.log2(Math.max(1, count));
  }

  add(colour: number): void {
    if (this.#colours.length > 0) this.#colours[Math.imul(HASH, colour) >>> this.#shift] = colour;
  }

  at(no: number): number {
    return this.#colours[no] ?? 0;
  }
}

const blocksIn = (length: number, bits: number): number => (length + (1 << bits) - 1) >> bits;

/** Places before a pixel, the nearest first, of which those to its left come before those to its right. */
const NEAR = Array.from({ length: 8 * 16 }, (_, no) => ({ above: no >> 4, left: (no & 15) - 7 }))
  .filter(({ above, left }) => above > 0 || left > 0)
  .sort(
    (a, b) =>
      a.above ** 2 + a.left ** 2 - b.above ** 2 - b.left ** 2 ||
      Math.abs(a.left) - Math.abs(b.left) ||
      b.left - a.left,
  );

/** The first numbers stand for places around a pixel, in two dimensions. */
function distanceOf(width: number, number: number): number {
  const near = NEAR[number - 1];
  return near === undefined ? number - NEAR.length : Math.max(1, near.above * width + near.left);
}
