/** Bits from the end of some bytes to their beginning, as Zstandard writes them: the last one that is set marks where they begin. */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Below zero: more were read than there are, each as zero. */
  left: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const last = bytes.at(-1) ?? 0;
    // Without a mark there is nothing to read.
    this.left = last === 0 ? -1 : bytes.length * 8 - 8 + (31 - Math.clz32(last));
  }

  /** Of 31 bits at most. */
  read(bits: number): number {
    if (bits > 24) return this.read(bits - 16) * 65_536 + this.read(16);
    this.left -= bits;
    if (this.left >= 0) return this.#at(this.left, bits);
    const there = bits + this.left;
    return there > 0 ? this.#at(0, there) << -this.left : 0;
  }

  /** The next ones, which stay where they are. */
  peek(bits: number): number {
    const value = this.read(bits);
    this.left += bits;
    return value;
  }

  #at(bit: number, bits: number): number {
    const at = bit >> 3;
    const bytes = this.#bytes;
    // Said one by one: to take them apart as a list takes ten times as long.
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    const word = low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    return (word >>> (bit & 7)) & ((1 << bits) - 1);
  }
}
