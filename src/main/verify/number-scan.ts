import type { NumbersFound } from '../../shared/verify/loaded.ts';

/** A part of a file that holds the numbers of one tensor. */
export interface NumberSpan {
  readonly tensor: string;
  readonly at: number;
  readonly bytes: number;
  readonly type: NumberType;
}

export type NumberType = 'f16' | 'bf16' | 'f32' | 'f64' | 'f8_e4m3' | 'f8_e5m2';

/** Enough to see where it went wrong; a broken run has NaN in every tensor. */
const MAX_NAMED = 20;

interface Counted {
  nonFinite: number;
  /** Whether any bit of the numbers but their signs is. */
  isSet: boolean;
}

interface Kind {
  readonly bytes: number;
  /** How many whole numbers of the piece are NaN or infinite; its memory begins where its words do. */
  readonly count: (piece: Uint8Array) => Counted;
}

/** How to see of a word whether one of its numbers has an exponent of nothing but ones: `step` carries it over into `carry`. */
interface Pattern {
  /** All bits but the signs. */
  readonly mask: number;
  readonly step: number;
  readonly carry: number;
}

const SINGLE: Pattern = { mask: 0x7fffffff, step: 0x00800000, carry: 0x80000000 };
/** Of the upper word, in which the exponent is. */
const DOUBLE: Pattern = { ...SINGLE, step: 0x00100000 };

/**
 * Words are looked at in blocks, and one by one only where a block has a number that is not finite: nearly none has. Four words a step
 * and no question in between, so that it takes a fraction of what the hash of the same bytes takes (`npm run bench -- verify`).
 */
const BLOCK_WORDS = 4096;

/** @param wordsEach In one number, of which the last one has the exponent. */
function countBlocks(
  words: Int32Array,
  wordsEach: 1 | 2,
  { mask, step, carry }: Pattern,
  countOf: (carried: number) => number,
): number {
  let nonFinite = 0;
  for (let from = wordsEach - 1; from < words.length; from += BLOCK_WORDS) {
    const end = Math.min(words.length, from + BLOCK_WORDS);
    let [carried, at] = [0, from];
    for (; at + 3 * wordsEach < end; at += 4 * wordsEach) {
      carried |=
        (((words[at] ?? 0) & mask) + step) |
        (((words[at + wordsEach] ?? 0) & mask) + step) |
        (((words[at + 2 * wordsEach] ?? 0) & mask) + step) |
        (((words[at + 3 * wordsEach] ?? 0) & mask) + step);
    }
    for (; at < end; at += wordsEach) carried |= ((words[at] ?? 0) & mask) + step;
    if ((carried & carry) === 0) continue;
    for (at = from; at < end; at += wordsEach) {
      nonFinite += countOf((((words[at] ?? 0) & mask) + step) & carry);
    }
  }
  return nonFinite;
}

/** Whether any bit but a sign is set: the first number says so, unless all of them are zero. */
const hasBits = (words: Int32Array, lowerMask: number, upperMask: number): boolean =>
  words.some((word, at) => (word & (at % 2 === 0 ? lowerMask : upperMask)) !== 0);

const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length >>> 2);
const inWhole = (carried: number): number => (carried === 0 ? 0 : 1);
const inHalves = (carried: number): number => (carried >>> 31) + ((carried >>> 15) & 1);

/** @param exponent Of one half of a word. */
function countHalves(exponent: number): (piece: Uint8Array) => Counted {
  const step = (0x8000 - exponent) * 0x10001;
  const pattern: Pattern = { mask: 0x7fff7fff, step, carry: 0x80008000 };
  return (piece) => {
    const words = wordsOf(piece);
    const nonFinite = countBlocks(words, 1, pattern, inHalves);
    const isSet = hasBits(words, pattern.mask, pattern.mask);
    if (piece.length % 4 === 0) return { nonFinite, isSet };
    const [last = 0] = new Uint16Array(piece.buffer, piece.byteOffset + piece.length - 2, 1);
    const isLast = (last & exponent) === exponent;
    return { nonFinite: nonFinite + (isLast ? 1 : 0), isSet: isSet || (last & 0x7fff) !== 0 };
  };
}

function countSingles(piece: Uint8Array): Counted {
  const words = wordsOf(piece);
  return {
    nonFinite: countBlocks(words, 1, SINGLE, inWhole),
    isSet: hasBits(words, SINGLE.mask, SINGLE.mask),
  };
}

function countDoubles(piece: Uint8Array): Counted {
  const words = wordsOf(piece);
  return {
    nonFinite: countBlocks(words, 2, DOUBLE, inWhole),
    isSet: hasBits(words, -1, DOUBLE.mask),
  };
}

function countBytes(isNonFinite: (byte: number) => boolean): (piece: Uint8Array) => Counted {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (isNonFinite(byte) ? 1 : 0));
  return (piece) => {
    let [nonFinite, bits] = [0, 0];
    for (const byte of piece) {
      bits |= byte & 0x7f;
      nonFinite += table[byte] ?? 0;
    }
    return { nonFinite, isSet: bits !== 0 };
  };
}

const KINDS: Readonly<Record<NumberType, Kind>> = {
  f16: { bytes: 2, count: countHalves(0x7c00) },
  bf16: { bytes: 2, count: countHalves(0x7f80) },
  f32: { bytes: 4, count: countSingles },
  f64: { bytes: 8, count: countDoubles },
  f8_e4m3: { bytes: 1, count: countBytes((byte) => (byte & 0x7f) === 0x7f) },
  f8_e5m2: { bytes: 1, count: countBytes((byte) => (byte & 0x7c) === 0x7c) },
};

/** Looks at the numbers of a file while it is read once from its beginning to its end, whatever pieces it comes in. */
export class NumberScan {
  readonly #spans: readonly NumberSpan[];
  #index = 0;
  #isSet = false;
  #count = 0;
  /** The first bytes of a number that goes on in the next piece. */
  #begun: Uint8Array = new Uint8Array(0);
  #scanned = 0;
  #nonFinite = 0;
  readonly #affected: { readonly tensor: string; readonly count: number }[] = [];
  readonly #allZero: string[] = [];

  /** @param spans In the order of the file, and none over another. */
  constructor(spans: readonly NumberSpan[]) {
    this.#spans = spans;
  }

  take(piece: Uint8Array, at: number): void {
    for (;;) {
      const span = this.#spans[this.#index];
      if (span === undefined || span.at >= at + piece.length) return;
      const end = span.at + span.bytes;
      this.#add(span, piece.subarray(Math.max(0, span.at - at), end - at));
      if (end > at + piece.length) return;
      this.#finish(span);
    }
  }

  found(): NumbersFound | null {
    if (this.#spans.length === 0) return null;
    return {
      scanned: this.#scanned,
      nonFinite: this.#nonFinite,
      affected: this.#affected,
      allZero: this.#allZero,
    };
  }

  #add({ type }: NumberSpan, bytes: Uint8Array): void {
    const { bytes: each } = KINDS[type];
    const missing = this.#begun.length === 0 ? 0 : each - this.#begun.length;
    if (missing > 0) {
      const number = join(this.#begun, bytes.subarray(0, missing));
      this.#begun = number;
      if (number.length < each) return;
      this.#countIn(type, number);
    }
    const rest = bytes.subarray(missing);
    const whole = rest.length - (rest.length % each);
    this.#countIn(type, rest.subarray(0, whole));
    // The piece is read into again.
    this.#begun = copyOf(rest.subarray(whole));
  }

  #countIn(type: NumberType, whole: Uint8Array): void {
    const { bytes: each, count } = KINDS[type];
    // Words can be seen only where memory is divided like them.
    const { nonFinite, isSet } = count(whole.byteOffset % 4 === 0 ? whole : inWords(whole));
    this.#isSet ||= isSet;
    this.#count += nonFinite;
    this.#scanned += whole.length / each;
  }

  #finish({ tensor }: NumberSpan): void {
    if (this.#count > 0 && this.#affected.length < MAX_NAMED) {
      this.#affected.push({ tensor, count: this.#count });
    }
    if (!this.#isSet && this.#allZero.length < MAX_NAMED) this.#allZero.push(tensor);
    this.#nonFinite += this.#count;
    this.#index += 1;
    this.#isSet = false;
    this.#count = 0;
    this.#begun = new Uint8Array(0);
  }
}

/** What scans of the parts of one file found, together. */
export class NumbersSum {
  #sum: NumbersFound | null = null;

  add(found: NumbersFound | null): void {
    const sum = this.#sum;
    if (found === null || sum === null) this.#sum ??= found;
    else
      this.#sum = {
        scanned: sum.scanned + found.scanned,
        nonFinite: sum.nonFinite + found.nonFinite,
        affected: [...sum.affected, ...found.affected].slice(0, MAX_NAMED),
        allZero: [...sum.allZero, ...found.allZero].slice(0, MAX_NAMED),
      };
  }

  /** To be spread into what was loaded. */
  found(): { readonly numbers?: NumbersFound } {
    return this.#sum === null ? {} : { numbers: this.#sum };
  }
}

/** Used again and again: to ask for a megabyte at each piece takes longer than to look at its numbers. */
let words = new Uint8Array(0);

/** The same bytes, until this is called again. */
function inWords(bytes: Uint8Array): Uint8Array {
  if (words.length < bytes.length) words = new Uint8Array(bytes.length);
  words.set(bytes);
  return words.subarray(0, bytes.length);
}

/** A Buffer's own `slice` shares its memory. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

function join(before: Uint8Array, after: Uint8Array): Uint8Array {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
