import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { errnoOf } from './file-problem.ts';

// What SQLite is lenient about, and we are not. https://www.sqlite.org/fileformat2.html

const SMALLEST_PAGE = 512;
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
/** 1: rollback journal, 2: write-ahead log. */
const KNOWN_FORMATS = [1, 2];

/**
 * Whether the database file begins as SQLite writes it. SQLite takes a file of 0 or 1 bytes for a new database, and one
 * whose write format it does not know for a read-only one.
 */
export function hasKnownHeader(file: string): boolean {
  const header = readStart(file, SMALLEST_PAGE);
  return (
    header !== null &&
    header.length === SMALLEST_PAGE &&
    header.subarray(0, MAGIC.length).equals(MAGIC) &&
    KNOWN_FORMATS.includes(header.readUInt8(18)) &&
    KNOWN_FORMATS.includes(header.readUInt8(19))
  );
}

/**
 * Whether the file ends where a page ends. SQLite fills up a last page that was cut off with zeros, and takes those for
 * content. With a log beside it this may be normal: the page was being written back from there.
 */
export function endsWithWholePage(file: string): boolean {
  const header = readStart(file, SMALLEST_PAGE);
  if (header === null || header.length < SMALLEST_PAGE) return false;
  const written = header.readUInt16BE(16);
  const pageSize = written === 1 ? 65_536 : written; // 65536 does not fit into the two bytes
  return pageSize > 0 && statSync(file).size % pageSize === 0;
}

/** Eight big-endian words, the last two a checksum of the others. */
const WAL_HEADER_BYTES = 32;
const CHECKED_BYTES = 24;
const WAL_MAGIC = 0x377f0682; // its last bit says whether the checksums are big-endian
const WAL_FORMAT = 3_007_000;

/**
 * Whether SQLite would read this write-ahead log. It ignores one with a bad header without a word, and with it every
 * change that had not reached the main file yet. What a crash leaves is fine: nothing, a part of a header, or zeros,
 * because nothing was committed to such a log.
 */
export function isWalReadable(file: string): boolean {
  const header = readStart(file, WAL_HEADER_BYTES);
  if (header === null || header.length < WAL_HEADER_BYTES || header.every((byte) => byte === 0)) {
    return true;
  }
  const magic = header.readUInt32BE(0);
  if (magic >>> 1 !== WAL_MAGIC >>> 1 || header.readUInt32BE(4) !== WAL_FORMAT) return false;
  const isBigEndian = (magic & 1) === 1;
  let [s1, s2] = [0, 0];
  for (let at = 0; at < CHECKED_BYTES; at += 8) {
    const word = (offset: number): number =>
      isBigEndian ? header.readUInt32BE(offset) : header.readUInt32LE(offset);
    s1 = (s1 + word(at) + s2) >>> 0;
    s2 = (s2 + word(at + 4) + s1) >>> 0;
  }
  return s1 === header.readUInt32BE(24) && s2 === header.readUInt32BE(28);
}

function readStart(file: string, bytes: number): Buffer | null {
  try {
    const fd = openSync(file, 'r');
    try {
      const header = Buffer.alloc(bytes);
      return header.subarray(0, readSync(fd, header, 0, bytes, 0));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}
