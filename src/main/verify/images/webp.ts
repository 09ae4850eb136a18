import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { need, pass, walkedFormat, type Walk } from '../walk.ts';
import { checkAlpha, checkLossless, Effort } from './webp-lossless.ts';
import { checkLossy } from './webp-lossy.ts';

export const webp = walkedFormat('webp', /\.webp$/i, walkWebp);

const [LEAD_BYTES, CHUNK_BYTES, FRAME_BYTES, ANIMATION_BYTES] = [12, 8, 16, 6];
/** Of a picture, up to where its size is told. */
const HEAD_BYTES = 10;
/** Held in memory while it is unpacked. */
const MAX_PIXEL_BYTES = 32 * 1024 * 1024;
const [MOVES, FLAGS] = [0x02, 0x3e];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What its chunks have said so far. */
interface Told {
  readonly source: ByteSource;
  readonly effort: Effort;
  /** What all frames are drawn on; null: there is one picture, of its own size. */
  canvas: (Size & { readonly flags: number }) | null;
  isAnimated: boolean;
  pictures: number;
  /** Of the first picture. */
  size: Size | null;
}

/** Where one picture is drawn, and how far it was read. */
interface Frame {
  readonly place: (Size & { readonly x: number; readonly y: number }) | null;
  alpha: { readonly at: number; readonly bytes: number } | null;
  hasPixels: boolean;
}

/** Each chunk by its length, within the length of the whole; its pixels have no checksum, and are unpacked as far as to their codes. */
function* walkWebp(source: ByteSource): Walk {
  const lead = yield* need(LEAD_BYTES);
  const isWebp = lead.toString('latin1', 0, 4) === 'RIFF' && lead.toString('latin1', 8) === 'WEBP';
  if (!isWebp) throw new Damaged('it does not begin as a WebP does');
  const end = 8 + lead.readUInt32LE(4);
  const told: Told = {
    ...{ source, effort: new Effort(), canvas: null, isAnimated: false, pictures: 0, size: null },
  };
  const frame: Frame = { place: null, alpha: null, hasPixels: false };
  for (let at = LEAD_BYTES; at < end;) at = yield* chunk(told, frame, at, end);
  if (end < LEAD_BYTES) throw new Damaged('it is shorter than what it begins with');
  const { canvas, size, pictures } = told;
  if (size === null) throw new Damaged('it has no pixels');
  if (canvas !== null && (canvas.flags & MOVES) === 0) {
    if (pictures > 1 || canvas.width !== size.width || canvas.height !== size.height) {
      throw new Damaged('its pixels are of another size than it says');
    }
  }
  const { width, height } = canvas ?? size;
  return `${String(width)} × ${String(height)} pixels`;
}

/** Where the next one begins. */
function* chunk(told: Told, frame: Frame, at: number, end: number): Walk<number> {
  const head = yield* need(CHUNK_BYTES);
  const type = head.toString('latin1', 0, 4);
  const bytes = head.readUInt32LE(4);
  const content = at + CHUNK_BYTES;
  const next = content + bytes + (bytes % 2);
  if (next > end) throw new Damaged('a chunk of it is longer than the whole');
  if (type === 'ANMF' && frame.place === null) {
    if (bytes < FRAME_BYTES || !told.isAnimated) throw new Damaged('a frame of it is none');
    const inner = frameOf(yield* need(FRAME_BYTES), told);
    for (let place = content + FRAME_BYTES; place < next;) {
      place = yield* chunk(told, inner, place, next);
    }
    if (!inner.hasPixels) throw new Damaged('a frame of it has no pixels');
    return next;
  }
  const lead = yield* need(Math.min(HEAD_BYTES, next - content));
  takeChunk(told, frame, { type, at: content, bytes, lead });
  yield* pass(next - content - lead.length);
  return next;
}

interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly bytes: number;
  /** What it begins with. */
  readonly lead: Buffer;
}

function takeChunk(told: Told, frame: Frame, { type, at, bytes, lead }: Chunk): void {
  if (type === 'VP8X') {
    if (bytes < HEAD_BYTES || at !== LEAD_BYTES + CHUNK_BYTES) throw new Damaged(NO_FIRST);
    const flags = lead[0] ?? 0;
    if ((flags & ~FLAGS) !== 0) throw new Damaged('its first chunk says what none can be');
    told.canvas = { flags, width: lead.readUIntLE(4, 3) + 1, height: lead.readUIntLE(7, 3) + 1 };
  } else if (type === 'ANIM') {
    if (bytes < ANIMATION_BYTES) throw new Damaged('it is cut off where it says how it moves');
    told.isAnimated = true;
  } else if (type === 'ALPH') {
    // A second one is passed over, as the library does.
    frame.alpha ??= { at, bytes };
  } else if (type === 'VP8 ' || type === 'VP8L') {
    if (!frame.hasPixels) takePixels(told, frame, { type, at, bytes, lead });
  } else if (at === LEAD_BYTES + CHUNK_BYTES) throw new Damaged(NO_FIRST);
}

function takePixels(told: Told, frame: Frame, { type, at, bytes, lead }: Chunk): void {
  const { source, effort, canvas } = told;
  const moves = ((canvas?.flags ?? 0) & MOVES) !== 0;
  if (frame.place === null && moves) throw new Damaged('it has pixels outside of its frames');
  const size = sizeOf(type, lead, bytes);
  const { place, alpha } = frame;
  if (place !== null && (place.width !== size.width || place.height !== size.height)) {
    throw new Damaged('a frame of it is of another size than its pixels');
  }
  if (at + bytes > source.sizeBytes) throw new Damaged('it is cut off');
  if (bytes + (alpha?.bytes ?? 0) > MAX_PIXEL_BYTES) {
    throw new NotLoadable('it has more pixels than Leasehold unpacks');
  }
  const content = Buffer.from(source.read(at, bytes));
  if (type === 'VP8L') {
    if (alpha !== null) throw new Damaged('it says twice how opaque it is');
    checkLossless(content, effort);
  } else {
    if (alpha !== null) {
      checkAlpha(source.read(alpha.at, alpha.bytes), size.width, size.height, effort);
    }
    checkLossy(content, effort);
  }
  frame.hasPixels = true;
  told.pictures += 1;
  told.size ??= size;
}

/** Within what all frames are drawn on. */
function frameOf(head: Buffer, { canvas }: Told): Frame {
  const [x, y] = [head.readUIntLE(0, 3) * 2, head.readUIntLE(3, 3) * 2];
  const [width, height] = [head.readUIntLE(6, 3) + 1, head.readUIntLE(9, 3) + 1];
  const isWithin =
    canvas !== null &&
    (canvas.flags & MOVES) !== 0 &&
    x + width <= canvas.width &&
    y + height <= canvas.height;
  if (!isWithin) throw new Damaged('a frame of it lies outside of the whole');
  return { place: { x, y, width, height }, alpha: null, hasPixels: false };
}

function sizeOf(type: string, head: Buffer, bytes: number): Size {
  const bits = head.length < 5 ? 0 : head.readUInt32LE(1);
  const size =
    type === 'VP8L'
      ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
      : bytes < HEAD_BYTES || head.readUIntBE(3, 3) !== 0x9d012a
        ? { width: 0, height: 0 }
        : { width: head.readUInt16LE(6) & 0x3fff, height: head.readUInt16LE(8) & 0x3fff };
  if (size.width === 0 || size.height === 0) throw new Damaged('it has an image of no size');
  return size;
}

const NO_FIRST = 'its first chunk is no image';
