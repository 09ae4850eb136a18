const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const round = (sum: number, word: number): number =>
  Math.imul(rotate((sum + Math.imul(word, P2)) | 0, 13), P1);

/** XXH32 with the seed 0, as the frames of LZ4 have it. */
export function xxhash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let sum = P5 | 0;
  if (bytes.length >= 16) {
    let [a, b, c, d] = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (; at + 16 <= bytes.length; at += 16) {
      a = round(a, view.getUint32(at, true));
      b = round(b, view.getUint32(at + 4, true));
      c = round(c, view.getUint32(at + 8, true));
      d = round(d, view.getUint32(at + 12, true));
    }
    sum = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  sum = (sum + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    sum = Math.imul(rotate((sum + Math.imul(view.getUint32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < bytes.length; at += 1) {
    sum = Math.imul(rotate((sum + Math.imul(bytes[at] ?? 0, P5)) | 0, 11), P1);
  }
  sum = Math.imul(sum ^ (sum >>> 15), P2);
  sum = Math.imul(sum ^ (sum >>> 13), P3);
  return (sum ^ (sum >>> 16)) >>> 0;
}
