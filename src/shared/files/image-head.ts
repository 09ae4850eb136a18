import type { ImageKind } from './preview.ts';

export interface ImageHead {
  readonly mime: ImageKind;
  readonly width: number;
  readonly height: number;
}

/** More than any of the heads but JPEG's needs, which may come after a long comment. */
export const SNIFFED_BYTES = 32;

/** What kind of picture the bytes begin as; null: none that is shown. */
export function imageKindOf(bytes: Uint8Array): ImageKind | null {
  if (begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (begins(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  const head = ascii(bytes, 0, 6);
  if (head === 'GIF87a' || head === 'GIF89a') return 'image/gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? 'image/webp' : null;
}

/** Its size in pixels as its head claims it, without decoding any; null: it does not say. */
export function readImageHead(bytes: Uint8Array): ImageHead | null {
  const mime = imageKindOf(bytes);
  if (mime === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = SIZES[mime](view, bytes);
  return size === null || size.width < 1 || size.height < 1 ? null : { mime, ...size };
}

type Size = Pick<ImageHead, 'width' | 'height'>;

const SIZES: Readonly<Record<ImageKind, (view: DataView, bytes: Uint8Array) => Size | null>> = {
  'image/png': (view) =>
    view.byteLength < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) },
  'image/gif': (view) =>
    view.byteLength < 10
      ? null
      : { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** From segment to segment until the one that says how large it is. */
function jpegSize(view: DataView): Size | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFill = marker === 0xff;
    if (isFill) {
      at += 1;
      continue;
    }
    // SOF0 to SOF15, without the tables that have numbers between them.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    const length = view.getUint16(at + 2);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

function webpSize(view: DataView, bytes: Uint8Array): Size | null {
  if (view.byteLength < 30) return null;
  const low24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { width: low24(24) + 1, height: low24(27) + 1 };
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

function begins(bytes: Uint8Array, wanted: readonly number[]): boolean {
  return wanted.every((byte, at) => bytes[at] === byte);
}

function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}
