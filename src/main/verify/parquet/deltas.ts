import { bitsAt } from './hybrid.ts';

/** What no writer goes beyond in one block. */
const MAX_BLOCK = 1 << 20;

/** A run of numbers, each of them so much more than the one before. */
type Take = (first: number, step: number, times: number) => void;

/**
 * Whole numbers as differences, in blocks of which each has parts of their own width. Parts of no width take no bytes, so that nothing
 * bounds how many numbers they are: they are told as one run.
 *
 * @param count How many there are to be.
 * @param take Gets each run of numbers of up to 32 bits; null: they are passed over, whatever width they have.
 * @returns Where they end; null: they are cut off, are as many as they should not be, or are none.
 */
export function readDeltas(
  bytes: Uint8Array,
  from: number,
  count: number,
  take: Take | null,
): number | null {
  let at = from;
  const varint = (): bigint | null => {
    let value = 0n;
    for (let no = 0; no < 10; no += 1) {
      const byte = bytes[at];
      if (byte === undefined) return null;
      at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * no);
      if (byte < 0x80) return value;
    }
    return null;
  };
  const [blockSize, parts, said, first] = [varint(), varint(), varint(), varint()].map((each) =>
    each === null ? -1 : Number(each),
  );
  if (blockSize === undefined || parts === undefined || said !== count) return null;
  if (first === undefined || first < 0 || blockSize <= 0 || parts <= 0) return null;
  const size = blockSize / parts;
  if (blockSize > MAX_BLOCK || !Number.isInteger(size) || size % 8 !== 0) return null;
  let value = signed(first);
  if (count > 0) take?.(value, 0, 1);
  for (let left = count - 1; left > 0;) {
    const least = varint();
    const widths = bytes.subarray(at, at + parts);
    at += parts;
    if (least === null || at > bytes.length) return null;
    const base = signed(Number(least));
    for (let no = 0; no < parts && left > 0; no += 1) {
      const width = widths[no] ?? 0;
      const end = at + (width * size) / 8;
      if (width > 64 || end > bytes.length) return null;
      if (take !== null && width > 32) return null;
      const values = Math.min(size, left);
      if (width === 0) {
        take?.(value + base, base, values);
        value += base * values;
      }
      for (let each = 0; take !== null && width > 0 && each < values; each += 1) {
        value += base + bitsAt(bytes, at * 8 + each * width, width);
        take(value, 0, 1);
      }
      left -= values;
      at = end;
    }
  }
  return at;
}

const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
