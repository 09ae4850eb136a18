import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const LARGE_END = 0x06064b50;
const LARGE_END_BYTES = 56;

/** Where the directory of an archive lies, as its end says. */
export interface EndRecord {
  readonly entries: number;
  readonly at: number;
  readonly bytes: number;
  /** What places in it are counted from: a program may stand before an archive that was packed without knowing of it. */
  readonly from: number;
}

/**
 * The end against itself: one archive in one file, and no byte between the directory and what says where it is.
 *
 * @param mayFollow Whether something else may stand before it.
 */
export function readEnd(source: ByteSource, mayFollow: boolean): EndRecord {
  const at = findEnd(source);
  const cursor = new Cursor(source, 'its end', at + 4);
  const disks = [cursor.u16(), cursor.u16()];
  const counts = [cursor.u16(), cursor.u16()];
  const small = { entries: counts[0] ?? 0, bytes: cursor.u32(), at: cursor.u32() };
  const large = readLargeEnd(source, at);
  const isSplit = disks.some((disk) => disk !== 0 && (large === null || disk !== 0xffff));
  if (isSplit || counts[0] !== counts[1]) throw new Damaged('its end is that of a part only');
  if (large === null) return checkedEnd(small, at, mayFollow);
  const isSame =
    isHalfOf(small.entries, large.entries, 0xffff) &&
    isHalfOf(small.bytes, large.bytes, 0xffffffff) &&
    isHalfOf(small.at, large.at, 0xffffffff);
  if (!isSame) throw new Damaged('its two ends do not say the same');
  return checkedEnd(large, large.ownAt, false);
}

/** What does not fit stands as the largest number. */
const isHalfOf = (small: number, large: number, full: number): boolean =>
  small === full || small === large;

type Told = Omit<EndRecord, 'from'>;

function checkedEnd({ entries, at, bytes }: Told, endAt: number, mayFollow: boolean): EndRecord {
  const from = endAt - at - bytes;
  if (from < 0 || (from > 0 && !mayFollow)) {
    throw new Damaged('its directory does not reach from where its end says to the end');
  }
  return { entries, at: from + at, bytes, from };
}

/** A comment may follow it, and nothing behind that. Two that fit would mean one archive to one reader and another to the next. */
function findEnd(source: ByteSource): number {
  const { sizeBytes } = source;
  const from = Math.max(0, sizeBytes - END_BYTES - MAX_COMMENT_BYTES);
  const tail = source.read(from, sizeBytes - from);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  const found: number[] = [];
  for (let at = 0; at + END_BYTES <= tail.length; at += 1) {
    if (view.getUint32(at, true) !== END) continue;
    if (at + END_BYTES + view.getUint16(at + 20, true) === tail.length) found.push(from + at);
  }
  const [end] = found;
  if (end === undefined) throw new Damaged('it has no end, as if it were cut off');
  if (found.length > 1) throw new Damaged('it has more than one end');
  return end;
}

function readLargeEnd(
  source: ByteSource,
  endAt: number,
): (Told & { readonly ownAt: number }) | null {
  const locatorAt = endAt - LOCATOR_BYTES;
  if (locatorAt < LARGE_END_BYTES) return null;
  const locator = new Cursor(source, 'its end', locatorAt);
  if (locator.u32() !== LOCATOR) return null;
  const disk = locator.u32();
  const ownAt = locator.u64();
  if (disk !== 0 || locator.u32() > 1) throw new Damaged('its end is that of a part only');
  if (ownAt + LARGE_END_BYTES > locatorAt) throw new Damaged('its end is not where it says');
  const cursor = new Cursor(source, 'its end', ownAt);
  const isEnd = cursor.u32() === LARGE_END && cursor.u64() === locatorAt - ownAt - 12;
  if (!isEnd) throw new Damaged('its end is not where it says');
  cursor.skip(4);
  const isSplit = cursor.u32() !== 0 || cursor.u32() !== 0;
  const [entries, all] = [cursor.u64(), cursor.u64()];
  if (isSplit || entries !== all) throw new Damaged('its end is that of a part only');
  const bytes = cursor.u64();
  return { entries, bytes, at: cursor.u64(), ownAt };
}
