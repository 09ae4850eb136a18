import { notUnpacked } from '../damage.ts';
import { BitReader, evenChances } from './range-bits.ts';
import type { Window } from './window.ts';

// By hand after the specification of LZMA, since no library for it in JavaScript is kept up.

const STATES = 12;
const MAX_PLACES = 16;
const MIN_LENGTH = 2;
const LENGTH_CLASSES = 4;
const LAST_SLOT_WITH_CHANCES = 14;
const ALIGN_BITS = 4;
/** States below are those after a letter. */
const AFTER_REPEAT = 7;

/** One stream of LZMA2, which is unpacked chunk by chunk. */
export class Lzma2 {
  readonly #window: Window;
  #model: Model | null = null;
  /** Nothing may refer to what was before the first chunk. */
  #isBegun = false;

  constructor(window: Window) {
    this.#window = window;
  }

  /** How many bytes of the head of a chunk follow its first byte. */
  static headBytes(control: number): number {
    if (control < 0x80) return 2;
    return control >= 0xc0 ? 5 : 4;
  }

  /** How many bytes of a chunk follow its head. */
  static packedBytes(control: number, head: Buffer): number {
    return head.readUInt16BE(control < 0x80 ? 0 : 2) + 1;
  }

  /** @param control Not zero, which is the end of the stream. */
  take(control: number, head: Buffer, packed: Uint8Array): void {
    if (control === 1 || control >= 0xe0) this.#begin();
    if (!this.#isBegun) throw notUnpacked();
    if (control < 0x80) {
      if (control > 2) throw notUnpacked();
      this.#window.add(packed);
      return;
    }
    if (control >= 0xc0) this.#model = modelOf(head[4] ?? 0xff);
    else if (control >= 0xa0) this.#model?.reset();
    if (this.#model === null) throw notUnpacked();
    const length = ((control & 0x1f) << 16) + head.readUInt16BE(0) + 1;
    this.#model.unpack(packed, this.#window.length + length, this.#window);
  }

  #begin(): void {
    this.#window.begin();
    this.#isBegun = true;
    this.#model = null;
  }
}

function modelOf(properties: number): Model {
  const literalBits = properties % 9;
  const placeBits = Math.floor(properties / 9) % 5;
  const matchBits = Math.floor(properties / 45);
  if (matchBits > 4 || literalBits + placeBits > 4) throw notUnpacked();
  return new Model(literalBits, placeBits, matchBits);
}

/** What has been learned of the chances of each bit, and the places that were used last. */
class Model {
  readonly #literalBits: number;
  readonly #literalMask: number;
  readonly #placeMask: number;
  readonly #literals: Uint16Array;
  readonly #isMatch = evenChances(STATES * MAX_PLACES);
  readonly #isRepeat = evenChances(STATES);
  readonly #isOlder = [evenChances(STATES), evenChances(STATES), evenChances(STATES)] as const;
  readonly #isLong = evenChances(STATES * MAX_PLACES);
  readonly #slots = Array.from({ length: LENGTH_CLASSES }, () => evenChances(64));
  readonly #distances = evenChances(128);
  readonly #align = evenChances(1 << ALIGN_BITS);
  readonly #matchLength = new LengthModel();
  readonly #repeatLength = new LengthModel();
  #state = 0;
  #last: [number, number, number, number] = [0, 0, 0, 0];

  constructor(literalBits: number, placeBits: number, matchBits: number) {
    this.#literalBits = literalBits;
    this.#literalMask = (1 << placeBits) - 1;
    this.#placeMask = (1 << matchBits) - 1;
    this.#literals = evenChances(0x300 << (literalBits + placeBits));
  }

  reset(): void {
    this.#state = 0;
    this.#last = [0, 0, 0, 0];
    const single = [this.#literals, this.#isMatch, this.#isRepeat, this.#isLong];
    const rest = [...this.#isOlder, ...this.#slots, this.#distances, this.#align];
    for (const chances of [...single, ...rest]) evenChances(chances);
    this.#matchLength.reset();
    this.#repeatLength.reset();
  }

  /** One chunk: up to this length of the window, which is where its bits end too. */
  unpack(packed: Uint8Array, end: number, window: Window): void {
    const bits = new BitReader(packed);
    while (window.length < end) {
      const place = window.length & this.#placeMask;
      if (bits.read(this.#isMatch, this.#state * MAX_PLACES + place) === 0) {
        window.addByte(this.#literal(bits, window));
        continue;
      }
      const length = this.#readMatch(bits, place);
      if (length > end - window.length) throw notUnpacked();
      window.repeat(this.#last[0] + 1, length);
    }
    if (!bits.isAtEnd()) throw notUnpacked();
  }

  #literal(bits: BitReader, window: Window): number {
    const before = window.back(1) >> (8 - this.#literalBits);
    const place = (window.length & this.#literalMask) << this.#literalBits;
    const from = 0x300 * (place + before);
    let symbol = 1;
    if (this.#state >= AFTER_REPEAT) {
      // After a match the letter differs from the one that would have gone on with it.
      let match = window.back(this.#last[0] + 1);
      while (symbol < 0x100) {
        const matchBit = (match >> 7) & 1;
        match <<= 1;
        const bit = bits.read(this.#literals, from + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (matchBit !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bits.read(this.#literals, from + symbol);
    this.#state = this.#state < 4 ? 0 : this.#state - (this.#state < 10 ? 3 : 6);
    return symbol & 0xff;
  }

  /** Its length; how far back it is taken from is the first of the last places then. */
  #readMatch(bits: BitReader, place: number): number {
    const state = this.#state;
    const isAfterLetter = state < AFTER_REPEAT;
    if (bits.read(this.#isRepeat, state) === 0) {
      const length = this.#matchLength.read(bits, place);
      const [first, second, third] = this.#last;
      this.#last = [this.#distance(bits, length), first, second, third];
      this.#state = isAfterLetter ? 7 : 10;
      return length;
    }
    if (bits.read(this.#isOlder[0], state) === 0) {
      if (bits.read(this.#isLong, state * MAX_PLACES + place) === 0) {
        this.#state = isAfterLetter ? 9 : 11;
        return 1;
      }
    } else {
      const [first, second, third, fourth] = this.#last;
      if (bits.read(this.#isOlder[1], state) === 0) this.#last = [second, first, third, fourth];
      else if (bits.read(this.#isOlder[2], state) === 0)
        this.#last = [third, first, second, fourth];
      else this.#last = [fourth, first, second, third];
    }
    this.#state = isAfterLetter ? 8 : 11;
    return this.#repeatLength.read(bits, place);
  }

  #distance(bits: BitReader, length: number): number {
    const slots = this.#slots[Math.min(length - MIN_LENGTH, LENGTH_CLASSES - 1)];
    const slot = slots === undefined ? 0 : bits.readTree(slots, 6);
    if (slot < 4) return slot;
    const more = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** more;
    if (slot < LAST_SLOT_WITH_CHANCES) {
      return base + bits.readReverse(this.#distances, base - slot, more);
    }
    const high = bits.readEven(more - ALIGN_BITS) * 2 ** ALIGN_BITS;
    return base + high + bits.readReverse(this.#align, 0, ALIGN_BITS);
  }
}

/** How long something is that stood before. */
class LengthModel {
  readonly #choices = evenChances(2);
  readonly #low = Array.from({ length: MAX_PLACES }, () => evenChances(8));
  readonly #middle = Array.from({ length: MAX_PLACES }, () => evenChances(8));
  readonly #high = evenChances(256);

  reset(): void {
    const all = [this.#choices, ...this.#low, ...this.#middle, this.#high];
    for (const chances of all) evenChances(chances);
  }

  read(bits: BitReader, place: number): number {
    const [low, middle] = [this.#low[place], this.#middle[place]];
    if (low === undefined || middle === undefined) throw notUnpacked();
    if (bits.read(this.#choices, 0) === 0) return MIN_LENGTH + bits.readTree(low, 3);
    if (bits.read(this.#choices, 1) === 0) return MIN_LENGTH + 8 + bits.readTree(middle, 3);
    return MIN_LENGTH + 16 + bits.readTree(this.#high, 8);
  }
}
