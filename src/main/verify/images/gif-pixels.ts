import { Damaged } from '../damage.ts';

const MAX_CODE_BITS = 12;
const MAX_CODES = 1 << MAX_CODE_BITS;
const NONE = -1;

/**
 * The codes of one image, by how many pixels each stands for: what colours they have is nothing that could be wrong. What follows the last
 * pixel is passed over, as every reader does.
 */
export class GifPixels {
  readonly #rootBits: number;
  /** How many pixels a code stands for; one that follows another is longer by one. */
  readonly #lengths = new Uint16Array(MAX_CODES);
  #missing: number;
  #bits = 0;
  #bitCount = 0;
  #codeBits: number;
  #next: number;
  #last = NONE;
  #isOver = false;

  constructor(rootBits: number, pixels: number) {
    this.#rootBits = rootBits;
    this.#missing = pixels;
    this.#lengths.fill(1, 0, 1 << rootBits);
    this.#codeBits = rootBits + 1;
    this.#next = this.#end + 1;
  }

  get #clear(): number {
    return 1 << this.#rootBits;
  }

  get #end(): number {
    return this.#clear + 1;
  }

  take(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.#isOver) return;
      this.#bits |= byte << this.#bitCount;
      this.#bitCount += 8;
      while (this.#bitCount >= this.#codeBits && !this.#isOver) {
        const code = this.#bits & ((1 << this.#codeBits) - 1);
        this.#bits >>>= this.#codeBits;
        this.#bitCount -= this.#codeBits;
        this.#takeCode(code);
      }
    }
  }

  end(): void {
    if (this.#missing > 0) throw new Damaged('an image of it has fewer pixels than its size says');
  }

  #takeCode(code: number): void {
    if (code === this.#clear) {
      this.#codeBits = this.#rootBits + 1;
      this.#next = this.#end + 1;
      this.#last = NONE;
    } else if (code === this.#end) this.#isOver = true;
    else this.#takePixels(code);
  }

  #takePixels(code: number): void {
    const isNew = code === this.#next && this.#last !== NONE && code < MAX_CODES;
    if (code >= this.#next && !isNew) {
      throw new Damaged('its pixels have a code that stands for nothing');
    }
    // Once there are no more codes, the last ones stay.
    if (this.#last !== NONE && this.#next < MAX_CODES) {
      this.#lengths[this.#next] = (this.#lengths[this.#last] ?? 0) + 1;
      this.#next += 1;
      if (this.#next === 1 << this.#codeBits && this.#codeBits < MAX_CODE_BITS) this.#codeBits += 1;
    }
    this.#last = code;
    this.#missing -= this.#lengths[code] ?? 0;
    this.#isOver = this.#missing <= 0;
  }
}
