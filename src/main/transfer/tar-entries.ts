import type { ByteSource } from '../verify/byte-source.ts';

const BLOCK = 512;
/** No path on any system is longer, and a stream that says so wants our memory. */
const MAX_NAME_BYTES = 16 * 1024;

/** A plain file of a tar stream. */
export interface TarFile {
  readonly path: string;
  /** Where its bytes lie. */
  readonly from: number;
  readonly bytes: number;
}

/**
 * The plain files of a tar stream that lies in a file, as GNU tar, busybox and bsdtar write one; everything else in it is passed over. It
 * ends where the stream is no tar any more: whoever asked for a file that is not told has not got it.
 */
export function* tarFiles(stream: ByteSource): Generator<TarFile, void> {
  const { sizeBytes } = stream;
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= sizeBytes;) {
    const header = bufferOf(stream.read(at, BLOCK));
    const bytes = hasItsSum(header) ? octalIn(header, 124, 136) : null;
    if (bytes === null) return;
    const from = at + BLOCK;
    if (from + bytes > sizeBytes) return;
    at = from + Math.ceil(bytes / BLOCK) * BLOCK;
    const type = header[156];
    if (type === OF_LONG_NAME || type === OF_PAX) {
      if (bytes > MAX_NAME_BYTES) return;
      const text = bufferOf(stream.read(from, bytes));
      longName =
        type === OF_LONG_NAME
          ? textIn(text, 0, bytes)
          : (paxPath(text.toString('utf8')) ?? longName);
      continue;
    }
    const path = longName ?? nameIn(header);
    longName = null;
    if (type === OF_FILE || type === OF_OLD_FILE) {
      yield { path: path.startsWith('./') ? path.slice(2) : path, from, bytes };
    }
  }
}

/** The kinds of entries that matter here: "L", "x", "0" and NUL. */
const OF_LONG_NAME = 0x4c;
const OF_PAX = 0x78;
const OF_FILE = 0x30;
const OF_OLD_FILE = 0;

// Of ten thousands of headers each view of bytes, each text and each pattern counts: what can be is read from the bytes where they lie.

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function textIn(header: Buffer, from: number, to: number): string {
  let end = from;
  while (end < to && header[end] !== 0) end += 1;
  return header.toString('utf8', from, end);
}

const POSIX_MARK = [...Buffer.from('ustar\0')];

function nameIn(header: Buffer): string {
  const name = textIn(header, 0, 100);
  // GNU tar writes other things there.
  const isPosix = POSIX_MARK.every((byte, no) => header[257 + no] === byte);
  return isPosix && header[345] !== 0 ? `${textIn(header, 345, 500)}/${name}` : name;
}

/** "<length> path=<name>" and a line end, among other such records. */
function paxPath(records: string): string | null {
  for (const record of records.split('\n')) {
    const [, name] = /^\d{1,6} path=(.*)$/.exec(record) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}

/** Octal digits, perhaps with blanks around them, up to a NUL. */
function octalIn(header: Buffer, from: number, to: number): number | null {
  let [value, digits, isOver] = [0, 0, false];
  for (let at = from; at < to && header[at] !== 0; at += 1) {
    const digit = (header[at] ?? 0) - 0x30;
    if (digit >= 0 && digit <= 7 && !isOver) {
      value = value * 8 + digit;
      digits += 1;
    } else if (header[at] !== BLANK) return null;
    else isOver = digits > 0;
  }
  return digits === 0 ? null : value;
}

const BLANK = 0x20;

/** Two blocks of zeros, with which a stream ends, do not have it either. */
function hasItsSum(header: Buffer): boolean {
  let sum = 8 * BLANK;
  // Without an iterator: of ten thousands of headers it would take longer than their files.
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return octalIn(header, 148, 156) === sum;
}
