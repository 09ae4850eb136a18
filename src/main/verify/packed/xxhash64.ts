// In halves of 32 bits, since whole ones are big integers here, which are forty times as slow.

const [P1H, P1L] = [0x9e3779b1, 0x85ebca87];
const [P2H, P2L] = [0xc2b2ae3d, 0x27d4eb4f];
const [P3H, P3L] = [0x165667b1, 0x9e3779f9];
const [P4H, P4L] = [0x85ebca77, 0xc2b2ae63];
const [P5H, P5L] = [0x27d4eb2f, 0x165667c5];
const STRIPE_BYTES = 32;

/** A number of 64 bits that is changed in place. */
class Word {
  high: number;
  low: number;

  constructor(high: number, low: number) {
    this.high = high | 0;
    this.low = low | 0;
  }

  add(high: number, low: number): this {
    const sum = (this.low >>> 0) + (low >>> 0);
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
    this.low = sum | 0;
    return this;
  }

  xor(high: number, low: number): this {
    this.high ^= high;
    this.low ^= low;
    return this;
  }

  times(high: number, low: number): this {
    const [a, b, c, d] = [this.low & 0xffff, this.low >>> 16, low & 0xffff, low >>> 16];
    const bottom = Math.imul(a, c) >>> 0;
    const middle = (Math.imul(b, c) >>> 0) + (bottom >>> 16);
    const other = (Math.imul(a, d) >>> 0) + (middle % 0x10000);
    const carried =
      (Math.imul(b, d) >>> 0) + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
    this.high = (carried + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = (other << 16) | (bottom & 0xffff);
    return this;
  }

  rotate(by: number): this {
    const [high, low] = by < 32 ? [this.high, this.low] : [this.low, this.high];
    const bits = by % 32;
    this.high = (high << bits) | (low >>> (32 - bits));
    this.low = (low << bits) | (high >>> (32 - bits));
    return this;
  }

  /** Itself moved down by so many bits. */
  fold(by: number): this {
    if (by >= 32) return this.xor(0, this.high >>> (by - 32));
    return this.xor(this.high >>> by, (this.low >>> by) | (this.high << (32 - by)));
  }
}

const round = (sum: Word, high: number, low: number): Word => {
  const word = new Word(high, low).times(P2H, P2L);
  return sum.add(word.high, word.low).rotate(31).times(P1H, P1L);
};

/** XXH64 with the seed 0 of bytes that come in pieces, as the frames of Zstandard have it. */
export class Xxhash64 {
  readonly #sums = [
    new Word(P1H, P1L).add(P2H, P2L),
    new Word(P2H, P2L),
    new Word(0, 0),
    new Word(~P1H, ~P1L).add(0, 1),
  ] as const;
  readonly #rest = new Uint8Array(STRIPE_BYTES);
  #held = 0;
  #length = 0;

  take(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(STRIPE_BYTES - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < STRIPE_BYTES) return;
      this.#takeStripes(this.#rest);
    }
    const whole = at + Math.floor((bytes.length - at) / STRIPE_BYTES) * STRIPE_BYTES;
    this.#takeStripes(bytes.subarray(at, whole));
    this.#rest.set(bytes.subarray(whole));
    this.#held = bytes.length - whole;
  }

  #takeStripes(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length;) {
      for (const sum of this.#sums) {
        round(sum, view.getInt32(at + 4, true), view.getInt32(at, true));
        at += 8;
      }
    }
  }

  /** The lower half, which is all that a frame keeps of it. */
  lowHalf(): number {
    const sum = this.#length < STRIPE_BYTES ? new Word(P5H, P5L) : this.#merged();
    sum.add(Math.floor(this.#length / 2 ** 32), this.#length);
    const view = new DataView(this.#rest.buffer, 0, this.#held);
    let at = 0;
    for (; at + 8 <= this.#held; at += 8) {
      const word = round(new Word(0, 0), view.getInt32(at + 4, true), view.getInt32(at, true));
      sum.xor(word.high, word.low).rotate(27).times(P1H, P1L).add(P4H, P4L);
    }
    if (at + 4 <= this.#held) {
      const word = new Word(0, view.getInt32(at, true)).times(P1H, P1L);
      sum.xor(word.high, word.low).rotate(23).times(P2H, P2L).add(P3H, P3L);
      at += 4;
    }
    for (; at < this.#held; at += 1) {
      const word = new Word(0, view.getUint8(at)).times(P5H, P5L);
      sum.xor(word.high, word.low).rotate(11).times(P1H, P1L);
    }
    return sum.fold(33).times(P2H, P2L).fold(29).times(P3H, P3L).fold(32).low >>> 0;
  }

  #merged(): Word {
    const sum = new Word(0, 0);
    const by = [1, 7, 12, 18] as const;
    for (const [no, { high, low }] of this.#sums.entries()) {
      const word = new Word(high, low).rotate(by[no] ?? 0);
      sum.add(word.high, word.low);
    }
    for (const { high, low } of this.#sums) {
      const word = round(new Word(0, 0), high, low);
      sum.xor(word.high, word.low).times(P1H, P1L).add(P4H, P4L);
    }
    return sum;
  }
}
