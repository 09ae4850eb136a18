import { NotLoadable } from '../damage.ts';

/**
 * Values of a few bits each, as runs of one value and as rows of eight: each is told with how often it comes. False: there are fewer than `count`.
 */
export function hybridValues(
  bytes: Uint8Array,
  bits: number,
  count: number,
  take: (value: number, times: number) => void,
): boolean {
  const valueBytes = Math.ceil(bits / 8);
  let [at, left] = [0, count];
  while (left > 0) {
    const head = readHead(bytes, at);
    if (head === null) return false;
    at = head.end;
    const length = Math.floor(head.value / 2);
    if (head.value % 2 === 0) {
      if (length === 0 || at + valueBytes > bytes.length) return false;
      take(numberAt(bytes, at, valueBytes), Math.min(length, left));
      at += valueBytes;
      left -= length;
      continue;
    }
    const values = Math.min(length * 8, left);
    if (values === 0 || at + Math.ceil((values * bits) / 8) > bytes.length) return false;
    // Polars and DuckDB read it, pyarrow does not.
    if (at + length * bits > bytes.length) throw new NotLoadable('its last row of eight is short');
    // They take no bytes, so that nothing bounds how many there are.
    if (bits === 0) take(0, values);
    else for (let no = 0; no < values; no += 1) take(bitsAt(bytes, at * 8 + no * bits, bits), 1);
    at += length * bits;
    left -= values;
  }
  return true;
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
