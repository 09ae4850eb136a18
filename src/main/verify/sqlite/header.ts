import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';

export const HEADER_BYTES = 100;
const MARK = 'SQLite format 3\0';
/** Of each one bit is kept, to see that nothing is used twice. */
const MAX_PAGES = 500_000_000;
const MIN_USABLE_BYTES = 480;

export interface Database {
  readonly pageBytes: number;
  /** Of a page, without what an extension keeps at its end. */
  readonly usableBytes: number;
  readonly pages: number;
  readonly freeAt: number;
  readonly freePages: number;
  /** Of those that tell of each page what it belongs to: one stands before so many. 0: there are none. */
  readonly pagesPerMap: number;
  /** Where it has maps: the last page that is the root of something. */
  readonly lastRoot: number;
  readonly isText16: { readonly isBigEndian: boolean } | null;
  /** Of the SQLite that wrote to it last: 3045001 is 3.45.1. */
  readonly version: number;
}

export const beginsAsSqlite = (head: Uint8Array): boolean =>
  String.fromCharCode(...head.subarray(0, MARK.length)) === MARK;

/** The first hundred bytes, against the length of the file. */
export function readHeader(source: ByteSource): Database {
  const { sizeBytes } = source;
  if (sizeBytes < HEADER_BYTES) throw new Damaged('it is shorter than any database');
  const bytes = Buffer.from(source.read(0, HEADER_BYTES));
  if (!beginsAsSqlite(bytes)) throw new Damaged('it does not begin as a SQLite database does');
  const u32 = (at: number): number => bytes.readUInt32BE(at);
  const told = bytes.readUInt16BE(16);
  const pageBytes = told === 1 ? 65_536 : told;
  const usableBytes = pageBytes - (bytes[20] ?? 0);
  const isPower = pageBytes >= 512 && (pageBytes & (pageBytes - 1)) === 0;
  if (!isPower || usableBytes < MIN_USABLE_BYTES) throw new Damaged('its pages are of no size');
  const [writer = 0, reader = 0] = [bytes[18], bytes[19]];
  if (writer < 1 || writer > 2 || reader < 1 || reader > 2) {
    throw new Damaged('its version is not known');
  }
  // 64, 32 and 32 of 255: how much of a row stands in a page.
  if (bytes.toString('latin1', 21, 24) !== '@  ' || u32(44) > 4 || u32(56) > 3) {
    throw new Damaged('its first bytes say what none can be');
  }
  const pages = pagesOf(source, pageBytes, u32(24) === u32(92) ? u32(28) : 0);
  return {
    ...{ pageBytes, usableBytes, pages, freeAt: u32(32), freePages: u32(36) },
    lastRoot: u32(52),
    version: u32(96),
    isText16: u32(56) > 1 ? { isBigEndian: u32(56) === 3 } : null,
    pagesPerMap: u32(52) === 0 ? 0 : Math.floor(usableBytes / 5) + 1,
  };
}

/** @param said 0: it was last written to by a version that did not say. */
function pagesOf({ sizeBytes }: ByteSource, pageBytes: number, said: number): number {
  const pages = sizeBytes / pageBytes;
  if (said > pages) {
    throw new Damaged(
      `it is cut off: it says ${String(said * pageBytes)} bytes, and has ${String(sizeBytes)}`,
    );
  }
  if (!Number.isInteger(pages)) throw new Damaged('its last page is cut off');
  if (said !== 0 && said < pages) throw new Damaged('there are pages behind its end');
  if (pages > MAX_PAGES) throw new NotLoadable('it has more pages than Leasehold looks at');
  return pages;
}
