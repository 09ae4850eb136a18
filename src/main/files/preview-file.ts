import { imageKindOf, readImageHead, SNIFFED_BYTES } from '../../shared/files/image-head.ts';
import {
  MAX_IMAGE_BYTES,
  MAX_PIXELS,
  MAX_TEXT_BYTES,
  type FilePreview,
} from '../../shared/files/preview.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { BoxFiles } from '../ssh/box-files.ts';

/** The beginning of a text, or a whole picture. Nothing of it is run, and a program may have written it to do harm. */
export async function previewFile(
  files: BoxFiles,
  path: string,
): Promise<Result<FilePreview, Problem>> {
  // A link is looked at as what it leads to.
  const real = await files.realPath(path);
  if (!real.ok) return real;
  const found = await files.stat(real.value);
  if (!found.ok) return found;
  // SECURITY: only a plain file is opened. A FIFO would hold the box's server until somebody writes, a device has no end.
  if (found.value.kind !== 'file') return none('It is no plain file.');
  const first = await head(files, real.value, SNIFFED_BYTES);
  if (!first.ok) return first;
  return imageKindOf(first.value) === null
    ? previewText(files, real.value, found.value.sizeBytes)
    : previewImage(files, real.value);
}

async function previewText(
  files: BoxFiles,
  path: string,
  sizeBytes: number | null,
): Promise<Result<FilePreview, Problem>> {
  // One byte more tells whether there is more, whatever the box says of its size.
  const read = await head(files, path, MAX_TEXT_BYTES + 1);
  if (!read.ok) return read;
  const isCut = read.value.length > MAX_TEXT_BYTES;
  const shown = read.value.subarray(0, MAX_TEXT_BYTES);
  if (shown.includes(0)) return none('It is no text: there are zero bytes in it.');
  const text = utf8(isCut ? wholeCharacters(shown) : shown);
  return ok({
    kind: 'text',
    text: text ?? new TextDecoder().decode(shown),
    isUtf8: text !== null,
    bytes: sizeBytes ?? read.value.length,
    isCut,
  });
}

async function previewImage(files: BoxFiles, path: string): Promise<Result<FilePreview, Problem>> {
  const read = await head(files, path, MAX_IMAGE_BYTES + 1);
  if (!read.ok) return read;
  if (read.value.length > MAX_IMAGE_BYTES) return none('It is a picture of more than 16 MiB.');
  const image = readImageHead(read.value);
  if (image === null) return none('It begins as a picture, and does not say how large it is.');
  const { mime, width, height } = image;
  if (width * height > MAX_PIXELS) {
    return none('It says that it has more than 40 million pixels.');
  }
  return ok({ kind: 'image', mime, width, height, content: new Uint8Array(read.value) });
}

function head(files: BoxFiles, path: string, bytes: number): Promise<Result<Buffer, Problem>> {
  return files.read(path, {
    end: bytes,
    read: async (pieces) => {
      const taken: Buffer[] = [];
      for await (const piece of pieces) taken.push(piece);
      return ok(Buffer.concat(taken));
    },
  });
}

const none = (because: string): Result<FilePreview, Problem> => ok({ kind: 'none', because });

/** Null: it is none. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // fatal: the one way in which it says so
  }
}

/** Without the beginning of a character whose end was cut off. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > bytes.length - 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const needs = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 < needs ? bytes.subarray(0, end - 1) : bytes;
}
