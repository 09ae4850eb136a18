import { Damaged } from '../damage.ts';
import { codesOf, type Codes } from './jpeg-codes.ts';
import { JpegPixels, type Component, type Frame, type ScanPass } from './jpeg-pixels.ts';
import { need, peek, scan, walkedFormat, type Walk } from '../walk.ts';

export const jpeg = walkedFormat('jpeg', /\.jpe?g$/i, walkJpeg);

const [START, END, SCAN, HUFFMAN, QUANTIZATION, INTERVAL, LINES, LEVELS, APP2] = [
  0xd8, 0xd9, 0xda, 0xc4, 0xdb, 0xdd, 0xdc, 0xde, 0xe2,
];
const FRAMES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** In codes of Huffman's, the last one in several scans of all pixels. All others are arithmetic, lossless, or rare. */
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
/** They are added to a frame before them, in a picture of several levels, which says so at its beginning. */
const DIFFERENCES = [0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf];
const LOSSLESS = [0xc3, 0xc7, 0xcb, 0xcf];
const isRestart = (mark: number): boolean => mark >= 0xd0 && mark <= 0xd7;

/** What its segments have said so far. */
interface Told {
  frame: Frame | null;
  pixels: JpegPixels | null;
  /** By their kind and number. */
  readonly codes: Map<number, Codes>;
  readonly steps: Set<number>;
  interval: number;
  hasLevels: boolean;
  /** Whether the codes of a scan were not looked at. */
  hasUnlooked: boolean;
  hasMore: boolean;
}

/** From mark to mark to the end. Its pixels have no checksum, and are unpacked as far as to their numbers. */
function* walkJpeg(): Walk {
  const start = yield* need(2);
  if (start[0] !== 0xff || start[1] !== START) {
    throw new Damaged('it does not begin as a JPEG does');
  }
  const told: Told = {
    ...{ frame: null, pixels: null, interval: 0, hasUnlooked: false, hasMore: false },
    ...{ codes: new Map(), steps: new Set(), hasLevels: false },
  };
  let hasPixels = false;
  for (let mark: number = yield* nextMark(); mark !== END;) {
    if (mark < 0xc0 || isRestart(mark) || mark === START) {
      throw new Damaged('it has a mark where none may be');
    }
    const bytes = (yield* need(2)).readUInt16BE(0);
    if (bytes < 2) throw new Damaged('a segment of it is shorter than its length');
    const content: Buffer = yield* need(bytes - 2);
    if (mark === SCAN) {
      const entropy = new Entropy(scanOf(content, told));
      hasPixels = true;
      yield* scan((piece) => entropy.take(piece));
      mark = entropy.mark;
      told.hasUnlooked ||= !entropy.isLooked;
    } else {
      takeSegment(mark, content, told);
      mark = yield* nextMark();
    }
  }
  const { frame, hasMore, hasUnlooked } = told;
  if (frame === null || !hasPixels) throw new Damaged('it has no pixels');
  if (frame.height === 0) throw new Damaged('its height is nowhere told');
  while (hasMore && (yield* peek()) !== null) yield* scan((piece) => piece.length);
  const size = `${String(frame.width)} × ${String(frame.height)} pixels`;
  return hasUnlooked ? `${size}, not all of them unpacked` : size;
}

function takeSegment(mark: number, content: Buffer, told: Told): void {
  if (FRAMES.includes(mark)) {
    if (told.frame !== null) throw new Damaged('it has two frames');
    if (DIFFERENCES.includes(mark) && !told.hasLevels) {
      throw new Damaged('its frame is added to one that there is not');
    }
    told.frame = frameOf(mark, content);
    told.pixels = JpegPixels.of(told.frame);
  }
  if (mark === LINES && told.frame !== null && content.length === 2) {
    told.frame = { ...told.frame, height: content.readUInt16BE(0) };
  }
  if (mark === HUFFMAN) readHuffman(content, told.codes);
  if (mark === QUANTIZATION) readQuantization(content, told.steps);
  if (mark === INTERVAL) {
    if (content.length !== 2) throw new Damaged('its restarts are not described');
    told.interval = content.readUInt16BE(0);
  }
  told.hasLevels ||= mark === LEVELS;
  // Cameras write a second image behind the first, and say so.
  told.hasMore ||= mark === APP2 && content.toString('latin1', 0, 4) === 'MPF\0';
}

/** Any number of filling bytes may stand before it. */
function* nextMark(): Walk<number> {
  let [byte = 0] = yield* need(1);
  if (byte !== 0xff) throw new Damaged('there are bytes between two of its segments');
  while (byte === 0xff) [byte = 0] = yield* need(1);
  return byte;
}

function frameOf(mark: number, content: Buffer): Frame {
  const [precision = 0, , , , , parts = 0] = content;
  const isWhole = content.length === 6 + 3 * parts && parts > 0;
  const isPrecise = LOSSLESS.includes(mark)
    ? precision >= 2 && precision <= 16
    : precision === 8 || precision === 12 || precision === 16;
  if (!isWhole || !isPrecise) {
    throw new Damaged('its frame does not describe an image');
  }
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  const components = Array.from({ length: parts }, (_, no): Component => {
    const [id = 0, shares = 0, steps = 0] = content.subarray(6 + 3 * no);
    return { id, across: shares >> 4, down: shares & 15, steps };
  });
  const isOne = ({ across, down, steps }: Component): boolean =>
    across >= 1 && across <= 4 && down >= 1 && down <= 4 && steps <= 3;
  // Some encoders number all colours alike, and readers differ in which is which: their codes are not looked at.
  const hasTwice = new Set(components.map(({ id }) => id)).size < parts;
  if (width === 0 || !components.every(isOne)) {
    throw new Damaged('its frame does not describe an image');
  }
  const isProgressive = mark === PROGRESSIVE;
  const hasCodes = !hasTwice && (mark === BASELINE || mark === EXTENDED || isProgressive);
  return { width, height, isProgressive, hasCodes, components };
}

/** Null: its codes are not looked at. */
function scanOf(content: Buffer, told: Told): ScanPass | null {
  const { frame, pixels, codes, steps, interval } = told;
  const [parts = 0] = content;
  const isWhole = frame !== null && parts > 0 && parts <= 4 && parts <= frame.components.length;
  if (!isWhole || content.length !== 4 + 2 * parts) {
    throw new Damaged('its pixels begin without what describes them');
  }
  const used = Array.from({ length: parts }, (_, no) => {
    const [id = 0, tables = 0] = content.subarray(1 + 2 * no);
    const component = frame.components.find((each) => each.id === id);
    const isTold = tables >> 4 <= 3 && (tables & 15) <= 3;
    const hasSteps = component !== undefined && steps.has(component.steps);
    if (component === undefined || (frame.hasCodes && !(isTold && hasSteps))) {
      throw new Damaged('its pixels begin without what describes them');
    }
    const [dc, ac] = [codes.get(tables >> 4) ?? null, codes.get(AC | (tables & 15)) ?? null];
    return { id, dc, ac };
  });
  const [first = 0, last = 0, bits = 0] = content.subarray(1 + 2 * parts);
  if (frame.isProgressive) {
    const isOne = first === 0 ? last === 0 : parts === 1 && last >= first && last <= 63;
    const isNext = bits >> 4 === 0 || bits >> 4 === (bits & 15) + 1;
    if (!isOne || !isNext || (bits & 15) > 13) {
      throw new Damaged('a scan of it is described with numbers that cannot be');
    }
  }
  const isFiner = bits >> 4 !== 0;
  return pixels?.scan({ parts: used, first, last, isFiner, interval }) ?? null;
}

/** In the number of a table: it is of all numbers of a block but the first. */
const AC = 0x10;

function readHuffman(content: Buffer, codes: Map<number, Codes>): void {
  for (let at = 0; at < content.length;) {
    const counts = content.subarray(at + 1, at + 17);
    const count = counts.reduce((sum, each) => sum + each, 0);
    const id = content[at] ?? 0;
    const values = content.subarray(at + 17, at + 17 + count);
    at += 17 + count;
    if ((id & 0xec) !== 0) throw new Damaged('a table of codes has no place');
    if (count > 256 || at > content.length) throw new Damaged('a table of codes is cut off');
    codes.set(id, codesOf(counts, values));
  }
}

function readQuantization(content: Buffer, steps: Set<number>): void {
  for (let at = 0; at < content.length;) {
    const id = content[at] ?? 0;
    at += 1 + ((id >> 4) + 1) * 64;
    if (id >> 4 > 1 || (id & 0xf) > 3 || at > content.length) {
      throw new Damaged('a table of steps is cut off');
    }
    steps.add(id & 0xf);
  }
}

/** What stands between two restarts is held, to be looked at as one: longer, its codes are not. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Compressed pixels, in which 0xff is followed by zero, by the mark of a restart in its turn, or by what comes behind them. */
class Entropy {
  #pass: ScanPass | null;
  /** One that grows: of pieces of a byte each, each would take a hundred. */
  #held = Buffer.alloc(0);
  #heldBytes = 0;
  #isMark = false;
  #restarts = 0;
  mark = 0;

  constructor(pass: ScanPass | null) {
    this.#pass = pass;
  }

  /** Whether all of its codes were. */
  get isLooked(): boolean {
    return this.#pass?.isLooked === true;
  }

  take(piece: Uint8Array): number | null {
    for (let at = 0; at < piece.length; at += 1) {
      if (!this.#isMark) {
        const next = piece.indexOf(0xff, at);
        this.#hold(piece.subarray(at, next === -1 ? piece.length : next));
        if (next === -1) return null;
        at = next;
        this.#isMark = true;
        continue;
      }
      const byte = piece[at] ?? 0;
      if (byte === 0xff) continue;
      this.#isMark = false;
      if (byte === 0) {
        this.#hold(STUFFED);
        continue;
      }
      this.#look(!isRestart(byte));
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

  #hold(part: Uint8Array): void {
    const bytes = this.#heldBytes + part.length;
    if (bytes > MAX_HELD_BYTES) this.#pass = null;
    if (this.#pass === null) return;
    if (bytes > this.#held.length) {
      const larger = Buffer.alloc(Math.min(MAX_HELD_BYTES, Math.max(bytes, 2 * this.#held.length)));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #look(isLast: boolean): void {
    this.#pass?.take(this.#held.subarray(0, this.#heldBytes), isLast);
    this.#heldBytes = 0;
  }
}

const STUFFED = Buffer.of(0xff);
