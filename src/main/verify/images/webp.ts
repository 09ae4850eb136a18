import { Damaged } from '../damage.ts';
import { need, pass, walkedFormat, type Walk } from '../walk.ts';

export const webp = walkedFormat('webp', /\.webp$/i, walkWebp);

const HEAD_BYTES = 10;

/** Each chunk by its length, within the length of the whole. Its pixels have no checksum, and are not unpacked. */
function* walkWebp(): Walk {
  const lead = yield* need(12);
  const isWebp = lead.toString('latin1', 0, 4) === 'RIFF' && lead.toString('latin1', 8) === 'WEBP';
  if (!isWebp) throw new Damaged('it does not begin as a WebP does');
  let left = lead.readUInt32LE(4) - 4;
  let size: string | null = null;
  let hasPixels = false;
  while (left > 0) {
    const chunk = yield* need(8);
    const type = chunk.toString('latin1', 0, 4);
    const bytes = chunk.readUInt32LE(4);
    const padded = bytes + (bytes % 2);
    left -= 8 + padded;
    if (left < 0) throw new Damaged('a chunk of it is longer than the whole');
    const head = yield* need(Math.min(HEAD_BYTES, padded));
    size ??= sizeOf(type, head);
    if (type === 'VP8 ' || type === 'VP8L') sizeOf(type, head);
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(type);
    yield* pass(padded - head.length);
  }
  if (left < 0) throw new Damaged('it is shorter than what it begins with');
  if (size === null || !hasPixels) throw new Damaged('it has no pixels');
  return size;
}

/** The first chunk has it, in one of three ways. */
function sizeOf(type: string, head: Buffer): string {
  const [width, height] = sidesOf(type, head);
  if (width === 0 || height === 0) throw new Damaged('it has an image of no size');
  return `${String(width)} × ${String(height)} pixels`;
}

function sidesOf(type: string, head: Buffer): readonly [number, number] {
  if (head.length === HEAD_BYTES) {
    if (type === 'VP8X') return [head.readUIntLE(4, 3) + 1, head.readUIntLE(7, 3) + 1];
    if (type === 'VP8 ' && head.readUIntBE(3, 3) === 0x9d012a) {
      return [head.readUInt16LE(6) & 0x3fff, head.readUInt16LE(8) & 0x3fff];
    }
    const bits = head.readUInt32LE(1);
    if (type === 'VP8L' && head[0] === 0x2f && bits >>> 29 === 0) {
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
  }
  throw new Damaged('its first chunk is no image');
}
