import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import {
  FLAG,
  fileWords,
  largeSizes,
  readCentralDirectory,
  unreadableBecause,
  type DirectoryEntry,
} from './central-directory.ts';
import { readEnd } from './end-record.ts';

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** Most of them, with the name and the fields; more would read the content as well. */
const HEADER_WINDOW_BYTES = 512;
const DESCRIPTOR = 0x08074b50;
/** What does not fit, or is not known. */
const FULL = 0xffffffff;
const DEFLATED = 8;
/** What one bit of a deflated stream can stand for, at most. */
const MAX_DEFLATE_RATIO = 1032;

/** A file of an archive, in the order in which they lie in it. */
export interface Member extends DirectoryEntry {
  readonly dataAt: number;
}

export interface Archive {
  readonly members: readonly Member[];
  /** Why the content of some cannot be looked at; null: all can. */
  readonly unreadable: string | null;
  /** What stands before it, as of a program that unpacks itself: nothing is known of that. */
  readonly bytesBefore: number;
}

/**
 * The directory against what it tells of: each file where and what it says, none over another, and no byte that belongs to nothing.
 *
 * @param mayFollow Whether something else may stand before it.
 */
export function readArchive(source: ByteSource, mayFollow = false): Archive {
  const end = readEnd(source, mayFollow);
  const entries = readCentralDirectory(source, end).map((entry) => ({
    ...entry,
    headerAt: end.from + entry.headerAt,
  }));
  entries.sort((a, b) => a.headerAt - b.headerAt);
  const members: Member[] = [];
  const bytesBefore = mayFollow ? bytesBeforeFirst(source, entries[0]?.headerAt ?? end.at) : 0;
  let covered = bytesBefore;
  for (const [no, entry] of entries.entries()) {
    if (entry.headerAt !== covered) throw new Damaged(gapWords(entry, covered));
    const nextAt = Math.min(entries[no + 1]?.headerAt ?? end.at, end.at);
    const member = { ...entry, dataAt: readLocal(source, entry, nextAt) };
    checkSizes(member);
    covered = member.dataAt + member.packedBytes + descriptorBytes(source, member, nextAt);
    members.push(member);
  }
  if (covered !== end.at) {
    throw new Damaged(
      covered < end.at
        ? 'bytes before its directory belong to no file'
        : 'its last file overlaps its directory',
    );
  }
  const unreadable = entries.map(unreadableBecause).find((each) => each !== null) ?? null;
  return { members, unreadable, bytesBefore };
}

/** What begins as an archive itself is one to one reader, and what is behind it to the next. */
function bytesBeforeFirst(source: ByteSource, firstAt: number): number {
  const isArchive = firstAt >= 4 && new Cursor(source, 'it').u32() === LOCAL;
  return isArchive ? 0 : firstAt;
}

const gapWords = (entry: DirectoryEntry, covered: number): string =>
  entry.headerAt > covered
    ? `bytes before ${fileWords(entry)} belong to no file`
    : `${fileWords(entry)} overlaps another`;

/** The header before the content against the directory; where the content begins. */
function readLocal(source: ByteSource, entry: DirectoryEntry, end: number): number {
  const of = fileWords(entry);
  const until = Math.max(end, entry.headerAt);
  const cursor = new Cursor(source, of, entry.headerAt, until, HEADER_WINDOW_BYTES);
  if (cursor.left < LOCAL_BYTES || cursor.u32() !== LOCAL) {
    throw new Damaged(`${of} does not begin where the directory says`);
  }
  cursor.skip(2);
  const isSame =
    cursor.u16() === entry.flags && cursor.u16() === entry.method && cursor.u32() === entry.time;
  const crc = cursor.u32();
  const sizes = [cursor.u32(), cursor.u32()];
  const [nameBytes, extraBytes] = [cursor.u16(), cursor.u16()];
  const hasSameName = Buffer.from(entry.rawName).equals(cursor.bytes(nameBytes));
  if (!isSame || !hasSameName) throw new Damaged(`${of} is not what the directory says`);
  // The field has the size that it will have first, which is the other one first here.
  const [bytes = 0, packedBytes = 0] = largeSizes(
    cursor.bytes(extraBytes),
    [sizes[1] ?? 0, sizes[0] ?? 0],
    of,
  );
  // Who did not know them before writing puts nothing there, and all of it behind the content.
  const isLater = (entry.flags & FLAG.hasDescriptor) !== 0;
  const isKnown = crc === entry.crc && bytes === entry.bytes && packedBytes === entry.packedBytes;
  const isOpen = crc === 0 && [bytes, packedBytes].every((each) => each === 0 || each === FULL);
  if (!isKnown && !(isLater && isOpen)) {
    throw new Damaged(`${of} has another size or checksum than the directory says`);
  }
  return cursor.at;
}

function checkSizes(member: Member): void {
  const { flags, method, packedBytes, bytes } = member;
  const isStored = method === 0 && (flags & FLAG.encrypted) === 0;
  if (isStored && packedBytes !== bytes) {
    throw new Damaged(`${fileWords(member)} is stored as it is, and has two sizes`);
  }
  if (method === DEFLATED && bytes > packedBytes * MAX_DEFLATE_RATIO) {
    throw new Damaged(`${fileWords(member)} claims to be longer than it can be`);
  }
}

/** Behind the content, its checksum and sizes once more: with a mark or without, in four bytes each or in eight. */
function descriptorBytes(source: ByteSource, member: Member, nextAt: number): number {
  if ((member.flags & FLAG.hasDescriptor) === 0) return 0;
  const at = member.dataAt + member.packedBytes;
  for (const [length, isMarked, isLarge] of [
    [16, true, false],
    [24, true, true],
    [12, false, false],
    [20, false, true],
  ] as const) {
    if (at + length !== nextAt) continue;
    const cursor = new Cursor(source, fileWords(member), at, nextAt);
    const isOne = !isMarked || cursor.u32() === DESCRIPTOR;
    const crc = cursor.u32();
    const [packedBytes, bytes] = isLarge
      ? [cursor.u64(), cursor.u64()]
      : [cursor.u32(), cursor.u32()];
    const isSame = crc === member.crc && packedBytes === member.packedBytes;
    if (isOne && isSame && bytes === member.bytes) return length;
  }
  throw new Damaged(`what stands behind ${fileWords(member)} is not what the directory says`);
}
