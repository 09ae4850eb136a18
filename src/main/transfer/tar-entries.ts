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
    const bytes = sizeOf(header);
    if (bytes === null || !hasItsSum(header)) return;
    const from = at + BLOCK;
    if (from + bytes > sizeBytes) return;
    at = from + Math.ceil(bytes / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L' || type === 'x') {
      if (bytes > MAX_NAME_BYTES) return;
      const text = bufferOf(stream.read(from, bytes));
      longName = type === 'L' ? textOf(text) : (paxPath(text.toString('utf8')) ?? longName);
      continue;
    }
    const path: string = longName ?? nameIn(header);
    longName = null;
    if (type === '0' || type === '\0') yield { path: path.replace(/^\.\//, ''), from, bytes };
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

const textOf = (field: Buffer): string => {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? undefined : end);
};

function nameIn(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  // GNU tar writes other things there.
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** "<length> path=<name>" and a line end, among other such records. */
function paxPath(records: string): string | null {
  for (const record of records.split('\n')) {
    const [, name] = /^\d{1,6} path=(.*)$/.exec(record) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}

function sizeOf(header: Buffer): number | null {
  const text = textOf(header.subarray(124, 136)).trim();
  return /^[0-7]{1,12}$/.test(text) ? parseInt(text, 8) : null;
}

/** Two blocks of zeros, with which a stream ends, do not have it either. */
function hasItsSum(header: Buffer): boolean {
  let sum = 8 * 0x20;
  // Without an iterator: of ten thousands of headers it would take longer than their files.
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return parseInt(textOf(header.subarray(148, 156)).trim(), 8) === sum;
}
