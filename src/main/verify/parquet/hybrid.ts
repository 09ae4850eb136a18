import { NotLoadable } from '../damage.ts';

/** Values of a few bits each, as runs of one value and as rows of eight: each is told with how often it comes. */
export class HybridRuns {
  readonly #bytes: Uint8Array;
  readonly #bits: number;
  #at = 0;
  /** That are still to come, and of these in the row of eight that was begun. */
  #left: number;
  #inRow = 0;
  #bitAt = 0;
  value = 0;
  times = 0;

  constructor(bytes: Uint8Array, bits: number, count: number) {
    [this.#bytes, this.#bits, this.#left] = [bytes, bits, count];
  }

  /** All that were asked for have been told. */
  get isOver(): boolean {
    return this.#left === 0;
  }

  /** False: there is none, of however many are still to come. */
  next(): boolean {
    if (this.#left === 0) return false;
    return this.#inRow > 0 ? this.#nextInRow() : this.#begin();
  }

  #begin(): boolean {
    const [bytes, bits] = [this.#bytes, this.#bits];
    const head = readHead(bytes, this.#at);
    if (head === null) return false;
    this.#at = head.end;
    const length = Math.floor(head.value / 2);
    if (head.value % 2 === 0) {
      const valueBytes = Math.ceil(bits / 8);
      if (length === 0 || this.#at + valueBytes > bytes.length) return false;
      this.#tell(numberAt(bytes, this.#at, valueBytes), Math.min(length, this.#left));
      this.#at += valueBytes;
      return true;
    }
    const values = Math.min(length * 8, this.#left);
    if (values === 0 || this.#at + Math.ceil((values * bits) / 8) > bytes.length) return false;
    // Polars and DuckDB read it, pyarrow does not.
    if (this.#at + length * bits > bytes.length) {
      throw new NotLoadable('its last row of eight is short');
    }
    [this.#inRow, this.#bitAt] = [values, this.#at * 8];
    this.#at += length * bits;
    return this.#nextInRow();
  }

  #nextInRow(): boolean {
    // Those of no bits take no bytes, so that nothing bounds how many there are.
    const times = this.#bits === 0 ? this.#inRow : 1;
    const value = this.#bits === 0 ? 0 : bitsAt(this.#bytes, this.#bitAt, this.#bits);
    this.#inRow -= times;
    this.#bitAt += this.#bits;
    this.#tell(value, times);
    return true;
  }

  #tell(value: number, times: number): void {
    [this.value, this.times] = [value, times];
    this.#left -= times;
  }
}

/** False: there are fewer than `count`. */
export function hybridValues(
  bytes: Uint8Array,
  bits: number,
  count: number,
  take: (value: number, times: number) => void,
): boolean {
  const runs = new HybridRuns(bytes, bits, count);
  while (runs.next()) take(runs.value, runs.times);
  return runs.isOver;
}

function readHead(
  bytes: Uint8Array,
  from: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let no = 0; no < 5; no += 1) {
    const byte = bytes[from + no];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 128 ** no;
    if (byte < 0x80) return { value, end: from + no + 1 };
  }
  return null;
}

function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let no = length - 1; no >= 0; no -= 1) value = value * 256 + (bytes[at + no] ?? 0);
  return value;
}

/** The lowest bit first. */
export function bitsAt(bytes: Uint8Array, at: number, bits: number): number {
  const [byte, shift] = [at >> 3, at & 7];
  const value = numberAt(bytes, byte, Math.ceil((shift + bits) / 8));
  return Math.floor(value / 2 ** shift) % 2 ** bits;
}
