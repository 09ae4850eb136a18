/** Words that both sums hold without running over. */
const WORDS = 360;

/** Fletcher’s checksum as HDF5 has it: over words of two bytes, the more significant one first, an odd last one filled up with zero. */
export function fletcher32(bytes: Uint8Array): number {
  let [first, second] = [0, 0];
  const fold = (sum: number): number => (sum & 0xffff) + (sum >>> 16);
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 2 * WORDS);
    for (; at < end; at += 2) {
      first += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      second += first;
    }
    first = fold(first);
    second = fold(second >>> 0);
  }
  return ((fold(second) << 16) | fold(first)) >>> 0;
}
