import { Crc32c } from '../../../shared/verify/crc32c.ts';
import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { plural } from '../plural.ts';
import { readVarint } from '../protobuf.ts';
import { quoted } from '../quoted.ts';
import { readBundle, type BundleEntry } from '../tensorflow/bundle.ts';
import { isTable } from '../tensorflow/table.ts';
import type { FileSet } from './file-set.ts';

const PIECE_BYTES = 1024 * 1024;

/** What `tf.train.Checkpoint` writes: `ckpt-1.index` and `ckpt-1.data-00000-of-00001`. */
export const tensorflowCheckpoint: FileSet = {
  kind: 'tensorflow-checkpoint',
  leads: /\.index$/i,
  async read(leader, folder, tell) {
    const name = leader.slice(0, -'.index'.length);
    const isOne = [...folder.members].some((member) => member.startsWith(`${name}.data-`));
    if (!isOne && !(await folder.open(leader, isTable))) return null;
    const { shards, entries } = await folder.open(leader, readBundle);
    let done = 0;
    for (let shard = 0; shard < shards; shard += 1) {
      const part = `${name}.data-${digits(shard)}-of-${digits(shards)}`;
      if (!folder.members.has(part)) {
        throw new Damaged(`of its ${plural(shards, 'part')}, ${quoted(part)} is not here`);
      }
      const lying = entries.filter((entry) => entry.shard === shard);
      lying.sort((a, b) => a.at - b.at || a.bytes - b.bytes);
      await folder.open(part, (source) => {
        checkCover(lying, part, source.sizeBytes);
        for (const entry of lying) {
          checkBytes(entry, source);
          tell((done += entry.bytes));
        }
      });
    }
    const lost = entries.find((entry) => entry.shard >= shards);
    if (lost !== undefined) throw new Damaged(`the tensor ${quoted(lost.name)} lies in no part`);
    return `${plural(shards, 'part')}, ${plural(entries.length, 'tensor')}, each with its checksum`;
  },
};

const digits = (number: number): string => String(number).padStart(5, '0');

/** No hole, no overlap, and the whole part covered. */
function checkCover(entries: readonly BundleEntry[], part: string, sizeBytes: number): void {
  let covered = 0;
  for (const { name, at, bytes } of entries) {
    if (at !== covered) {
      const what = at > covered ? 'bytes before it belong to nothing' : 'it overlaps another';
      throw new Damaged(`of the tensor ${quoted(name)}, ${what}`);
    }
    covered = at + bytes;
  }
  if (covered !== sizeBytes) {
    throw new Damaged(
      `its tensors take ${String(covered)} bytes of ${quoted(part)}, which has ${String(sizeBytes)}`,
    );
  }
}

function checkBytes(entry: BundleEntry, source: ByteSource): void {
  const end = entry.at + entry.bytes;
  const crc = new Crc32c();
  const from = entry.texts === null ? entry.at : addLengths(crc, entry, entry.texts, source);
  for (let at = from; at < end; at += PIECE_BYTES) {
    crc.add(source.read(at, Math.min(PIECE_BYTES, end - at)));
  }
  if (crc.masked !== entry.crc) {
    throw new Damaged(`the checksum of the tensor ${quoted(entry.name)} is wrong`);
  }
}

/**
 * Of texts the checksum is of each length as a number of four bytes, or of eight where it takes them, and not as the file has it.
 * Returns where the rest begins, which is as the file has it.
 */
function addLengths(
  crc: Crc32c,
  { name, at, bytes }: BundleEntry,
  texts: number,
  source: ByteSource,
): number {
  const of = `the tensor ${quoted(name)}`;
  const cursor = new Cursor(source, of, at, at + bytes);
  let sum = 0;
  for (let no = 0; no < texts; no += 1) {
    const length = readVarint(cursor);
    const number = Buffer.alloc(length > 0xffff_ffff ? 8 : 4);
    number.writeUInt32LE(length % 2 ** 32);
    if (number.length === 8) number.writeUInt32LE(Math.floor(length / 2 ** 32) % 2 ** 32, 4);
    crc.add(number);
    sum += length;
  }
  if (cursor.left !== CHECKSUM_BYTES + sum) {
    throw new Damaged(`${of} has texts of other lengths than it says`);
  }
  return cursor.at;
}

/** Of the lengths alone; it stands between them and the texts. */
const CHECKSUM_BYTES = 4;
