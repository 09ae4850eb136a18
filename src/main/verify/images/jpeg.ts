import { Damaged } from '../damage.ts';
import { need, peek, scan, walkedFormat, type Walk } from '../walk.ts';

export const jpeg = walkedFormat('jpeg', /\.jpe?g$/i, walkJpeg);

const [START, END, SCAN, HUFFMAN, QUANTIZATION, LINES, APP2] = [
  0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdc, 0xe2,
];
const FRAMES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
const isRestart = (mark: number): boolean => mark >= 0xd0 && mark <= 0xd7;

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly parts: number;
}

/** From mark to mark to the end. Its pixels have no checksum, and are not unpacked. */
function* walkJpeg(): Walk {
  const start = yield* need(2);
  if (start[0] !== 0xff || start[1] !== START) {
    throw new Damaged('it does not begin as a JPEG does');
  }
  let frame: Frame | null = null;
  let hasPixels = false;
  let hasMore = false;
  for (let mark: number = yield* nextMark(); mark !== END;) {
    if (mark < 0xc0 || isRestart(mark) || mark === START) {
      throw new Damaged('it has a mark where none may be');
    }
    const bytes = (yield* need(2)).readUInt16BE(0);
    if (bytes < 2) throw new Damaged('a segment of it is shorter than its length');
    const content: Buffer = yield* need(bytes - 2);
    if (FRAMES.includes(mark)) {
      if (frame !== null) throw new Damaged('it has two frames');
      frame = frameOf(content);
    }
    if (mark === LINES && frame !== null && content.length === 2) {
      frame = { ...frame, height: content.readUInt16BE(0) };
    }
    if (mark === HUFFMAN) checkHuffman(content);
    if (mark === QUANTIZATION) checkQuantization(content);
    // Cameras write a second image behind the first, and say so.
    hasMore ||= mark === APP2 && content.toString('latin1', 0, 4) === 'MPF\0';
    if (mark === SCAN) {
      checkScan(content, frame);
      hasPixels = true;
      const entropy = new Entropy();
      yield* scan((piece) => entropy.take(piece));
      mark = entropy.mark;
    } else mark = yield* nextMark();
  }
  if (frame === null || !hasPixels) throw new Damaged('it has no pixels');
  if (frame.height === 0) throw new Damaged('its height is nowhere told');
  while (hasMore && (yield* peek()) !== null) yield* scan((piece) => piece.length);
  return `${String(frame.width)} × ${String(frame.height)} pixels`;
}

/** Any number of filling bytes may stand before it. */
function* nextMark(): Walk<number> {
  let [byte = 0] = yield* need(1);
  if (byte !== 0xff) throw new Damaged('there are bytes between two of its segments');
  while (byte === 0xff) [byte = 0] = yield* need(1);
  return byte;
}

function frameOf(content: Buffer): Frame {
  const [precision, , , , , parts = 0] = content;
  const isWhole = content.length === 6 + 3 * parts && parts > 0;
  if (!isWhole || (precision !== 8 && precision !== 12 && precision !== 16)) {
    throw new Damaged('its frame does not describe an image');
  }
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  if (width === 0) throw new Damaged('its frame does not describe an image');
  return { width, height, parts };
}

function checkScan(content: Buffer, frame: Frame | null): void {
  const [parts = 0] = content;
  const isWhole = frame !== null && parts > 0 && parts <= 4 && parts <= frame.parts;
  if (!isWhole || content.length !== 4 + 2 * parts) {
    throw new Damaged('its pixels begin without what describes them');
  }
}

function checkHuffman(content: Buffer): void {
  for (let at = 0; at < content.length;) {
    const counts = content.subarray(at + 1, at + 17);
    const values = counts.reduce((sum, count) => sum + count, 0);
    const id = content[at] ?? 0;
    at += 17 + values;
    if ((id & 0xec) !== 0) throw new Damaged('a table of codes has no place');
    if (values > 256 || at > content.length) throw new Damaged('a table of codes is cut off');
  }
}

function checkQuantization(content: Buffer): void {
  for (let at = 0; at < content.length;) {
    const id = content[at] ?? 0;
    at += 1 + ((id >> 4) + 1) * 64;
    if (id >> 4 > 1 || (id & 0xf) > 3 || at > content.length) {
      throw new Damaged('a table of steps is cut off');
    }
  }
}

/** Compressed pixels, in which 0xff is followed by zero, by the mark of a restart in its turn, or by what comes behind them. */
class Entropy {
  #isMark = false;
  #restarts = 0;
  mark = 0;

  take(piece: Uint8Array): number | null {
    for (let at = 0; at < piece.length; at += 1) {
      if (!this.#isMark) {
        const next = piece.indexOf(0xff, at);
        if (next === -1) return null;
        at = next;
        this.#isMark = true;
        continue;
      }
      const byte = piece[at] ?? 0;
      if (byte === 0xff) continue;
      this.#isMark = false;
      if (byte === 0) continue;
      if (!isRestart(byte)) {
        this.mark = byte;
        return at + 1;
      }
      if (byte !== 0xd0 + (this.#restarts % 8))
        throw new Damaged('a part of its pixels is missing');
      this.#restarts += 1;
    }
    return null;
  }
}
