import type { NumbersFound } from '../../shared/verify/loaded.ts';
import { BLOCK_BYTES, WordLook, type WordPair } from './word-look.ts';

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

/**
 * How to see of a word whether one of its numbers has an exponent of nothing but ones: `step` carries it over into `carry`. Where a number has
 * two words, each of them has its own.
 */
interface Kind {
  readonly bytes: number;
  /** All bits but the signs. */
  readonly mask: WordPair;
  readonly step: WordPair;
  readonly carry: WordPair;
}

const kind = (bytes: number, mask: number, step: number, carry: number): Kind => ({
  ...{ bytes, mask: [mask, mask], step: [step, step], carry: [carry, carry] },
});

const KINDS: Readonly<Record<NumberType, Kind>> = {
  f16: kind(2, 0x7fff7fff, 0x04000400, 0x80008000),
  bf16: kind(2, 0x7fff7fff, 0x00800080, 0x80008000),
  f32: kind(4, 0x7fffffff, 0x00800000, 0x80000000),
  // The exponent is in the upper word, which is the second.
  f64: { bytes: 8, mask: [-1, 0x7fffffff], step: [0, 0x00100000], carry: [0, 0x80000000] },
  // It has no infinities, and one NaN of either sign.
  f8_e4m3: kind(1, 0x7f7f7f7f, 0x01010101, 0x80808080),
  f8_e5m2: kind(1, 0x7f7f7f7f, 0x04040404, 0x80808080),
};

/** Looks at whole numbers of one type. They are counted one by one only in a block that has one that is not finite: nearly none has. */
class BlockCounter {
  readonly #kind: Kind;
  readonly #look: WordLook;

  constructor(type: NumberType) {
    this.#kind = KINDS[type];
    this.#look = new WordLook(this.#kind.mask, this.#kind.step);
  }

  count(whole: Uint8Array): { readonly nonFinite: number; readonly isSet: boolean } {
    let [nonFinite, isSet] = [0, false];
    for (let at = 0; at < whole.length; at += BLOCK_BYTES) {
      const block = whole.subarray(at, at + BLOCK_BYTES);
      const { sums, bits } = this.#look.at(block);
      isSet ||= hasAny(bits, this.#kind.mask);
      if (hasAny(sums, this.#kind.carry)) nonFinite += this.#countIn(block.length);
    }
    return { nonFinite, isSet };
  }

  #countIn(bytes: number): number {
    const { mask, step, carry } = this.#kind;
    const { words } = this.#look;
    let nonFinite = 0;
    for (let at = 0; at * 4 < bytes; at += 1) {
      const side = at % 2 === 0 ? 0 : 1;
      let carried = (((words[at] ?? 0) & mask[side]) + step[side]) & carry[side];
      for (; carried !== 0; carried &= carried - 1) nonFinite += 1;
    }
    return nonFinite;
  }
}

const hasAny = (found: WordPair, wanted: WordPair): boolean =>
  (found[0] & wanted[0]) !== 0 || (found[1] & wanted[1]) !== 0;

/** One of each type, which has memory of its own. */
const counters = new Map<NumberType, BlockCounter>();

function counterOf(type: NumberType): BlockCounter {
  const known = counters.get(type) ?? new BlockCounter(type);
  counters.set(type, known);
  return known;
}

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
    const { nonFinite, isSet } = counterOf(type).count(whole);
    this.#isSet ||= isSet;
    this.#count += nonFinite;
    this.#scanned += whole.length / KINDS[type].bytes;
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

/** A Buffer's own `slice` shares its memory. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

function join(before: Uint8Array, after: Uint8Array): Uint8Array {
  const both = new Uint8Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
