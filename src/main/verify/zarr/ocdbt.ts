import { Crc32c } from '../../../shared/verify/crc32c.ts';
import { partOf, type ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { Extents } from '../extents.ts';
import { unpackZstd } from '../packed/zstd.ts';
import { readVarint } from '../protobuf.ts';
import { quoted } from '../quoted.ts';
import type { SetFolder } from '../sets/file-set.ts';
import { StrictUtf8 } from '../utf8.ts';

// After the sources of TensorStore, which writes it: `tensorstore/kvstore/ocdbt/format`.

const [MANIFEST, NODE] = [0x0cdb3a2a, 0x0cdb20de];
const HEAD_BYTES = 12;
const SUM_BYTES = 4;
/** A node is held in memory while it is read. */
const MAX_NODE_BYTES = 16 * 1024 * 1024;
/** Of all that its nodes hold, and of the names in them, each of which may leave out what it has in common with the one before. */
const MAX_TREE_BYTES = 32 * 1024 * 1024;
const MAX_KEYS = 300_000;
const MAX_HEIGHT = 20;
const MAX_NAME_BYTES = 65_535;
export const OCDBT_MANIFEST = 'manifest.ocdbt';

/** A part of one of its files. */
interface Place {
  readonly file: string;
  readonly at: number;
  readonly bytes: number;
}
type Entry = Uint8Array | Place;

/** What one database holds, as if each of its entries were a file. */
export async function openOcdbt(folder: SetFolder): Promise<SetFolder> {
  const budget = new Budget();
  const root = await folder.open(OCDBT_MANIFEST, (source) => readManifest(source, budget));
  const entries = new Map<string, Entry>();
  const extents = new Map<string, Extents>();
  const check = async (place: Place): Promise<void> => {
    if (!folder.members.has(place.file)) {
      throw new Damaged(`its part ${quoted(place.file)} is not here`);
    }
    const known =
      extents.get(place.file) ??
      (await folder.open(place.file, ({ sizeBytes }) => new Extents(sizeBytes)));
    extents.set(place.file, known);
    known.claim(place.at, place.bytes, `a part of ${quoted(place.file)}`);
  };
  const waiting: Node[] = root === null ? [] : [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, height, base, lead } = next;
    await check(place);
    const found = await folder.open(place.file, (source) =>
      readNode(partOf(source, place.at, place.bytes), { height, base, lead }, budget),
    );
    for (const child of found.children) waiting.push(child);
    // Each of those that wait has an entry at least.
    if (waiting.length + entries.size > MAX_KEYS) throw new NotLoadable(TOO_MANY);
    for (const [key, entry] of found.entries) {
      if (!(entry instanceof Uint8Array)) await check(entry);
      entries.set(key, entry);
    }
  }
  for (const known of extents.values()) known.checkOverlaps();
  if (root !== null && entries.size !== root.keys) {
    throw new Damaged(`it says ${String(root.keys)} entries, and has ${String(entries.size)}`);
  }
  return {
    members: new Set(entries.keys()),
    open: async (member, use) => {
      const entry = entries.get(member);
      if (entry === undefined) throw new Error('A reader asked for what is no entry.');
      if (entry instanceof Uint8Array) return await use(sourceOf(entry));
      return await folder.open(entry.file, (source) => use(partOf(source, entry.at, entry.bytes)));
    },
  };
}

/** What a reader has left of what it holds of one database. */
class Budget {
  #left = MAX_TREE_BYTES;

  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new NotLoadable(TOO_MANY);
  }
}

const TOO_MANY = 'it has more entries than Leasehold reads';

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  sizeBytes: bytes.length,
  read: (at, length) => bytes.slice(at, at + length),
});

/** What lies between its head and its checksum, unpacked. */
function bodyOf(source: ByteSource, mark: number, budget: Budget): Cursor {
  if (source.sizeBytes < HEAD_BYTES + SUM_BYTES + 2) throw new Damaged('a part of it is cut off');
  if (source.sizeBytes > MAX_NODE_BYTES) throw new NotLoadable(TOO_LONG);
  const { buffer, byteOffset, length } = source.read(0, source.sizeBytes);
  const bytes = Buffer.from(buffer, byteOffset, length);
  const end = bytes.length - SUM_BYTES;
  if (bytes.readUInt32BE(0) !== mark || Number(bytes.readBigUInt64LE(4)) !== bytes.length) {
    throw new Damaged('a part of it is not what it should be');
  }
  if (new Crc32c().add(bytes.subarray(0, end)).value !== bytes.readUInt32LE(end)) {
    throw new Damaged('a part of it has another checksum than it should have');
  }
  const cursor = new Cursor(sourceOf(bytes), 'a part of it', HEAD_BYTES, end);
  const [version, packing] = [readVarint(cursor), readVarint(cursor)];
  if (version !== 0 || packing > 1) throw new NotLoadable('it is of a version that is not known');
  if (packing === 0) {
    budget.take(cursor.left);
    return cursor;
  }
  const pieces: Uint8Array[] = [];
  unpackZstd(bytes.subarray(cursor.at, end), MAX_NODE_BYTES, (piece) => {
    budget.take(piece.length);
    pieces.push(piece.slice());
  });
  return new Cursor(sourceOf(Buffer.concat(pieces)), 'a part of it');
}

const TOO_LONG = 'a part of it is longer than Leasehold reads at once';

interface Node {
  readonly place: Place;
  readonly height: number;
  /** Before the names of files in it. */
  readonly base: string;
  /** What the keys in it begin with. */
  readonly lead: string;
}

/** The root of what was written last; null: nothing was. */
function readManifest(
  source: ByteSource,
  budget: Budget,
): (Node & { readonly keys: number }) | null {
  const body = bodyOf(source, MANIFEST, budget);
  body.skip(16);
  if (readVarint(body) !== 0) throw new NotLoadable('its manifest is in several files');
  readVarint(body);
  readVarint(body);
  body.skip(1);
  if (readVarint(body) === 1) body.skip(4);
  const files = readFiles(body, '', budget);
  const count = countIn(body);
  const numbers = (): number[] => Array.from({ length: count }, () => readVarint(body));
  numbers();
  const heights = Array.from({ length: count }, () => body.u8());
  const [places, at, bytes, keys] = [numbers(), numbers(), numbers(), numbers()];
  const last = count - 1;
  const found = files[places[last] ?? 0];
  if (count === 0 || found === undefined) throw new Damaged('it has no version');
  if (bytes[last] === 0 || keys[last] === 0) return null;
  return {
    place: { file: found.path, at: at[last] ?? 0, bytes: bytes[last] ?? 0 },
    ...{ height: heights[last] ?? 0, base: found.base, lead: '', keys: keys[last] ?? 0 },
  };
}

interface NamedFile {
  readonly path: string;
  /** As much of it as stands before the names in that file. */
  readonly base: string;
}

/** Each name without what it has in common with the one before it. */
function readFiles(cursor: Cursor, base: string, budget: Budget): readonly NamedFile[] {
  const count = countIn(cursor);
  const numbers = (length: number): number[] => Array.from({ length }, () => readVarint(cursor));
  const common = count === 0 ? [] : [0, ...numbers(count - 1)];
  const [rest, bases] = [numbers(count), numbers(count)];
  const files: NamedFile[] = [];
  let before = Buffer.alloc(0);
  for (let no = 0; no < count; no += 1) {
    before = joined(before, common[no] ?? 0, cursor, rest[no] ?? 0);
    budget.take(before.length + base.length);
    const own = before.subarray(0, bases[no] ?? 0).toString('latin1');
    files.push({ path: base + before.toString('latin1'), base: base + own });
  }
  return files;
}

function joined(before: Buffer, common: number, cursor: Cursor, rest: number): Buffer<ArrayBuffer> {
  if (common > before.length || common + rest > MAX_NAME_BYTES) {
    throw new Damaged('a name in it is none');
  }
  return Buffer.concat([before.subarray(0, common), cursor.bytes(rest)]);
}

/** As many as there are bytes at most. */
function countIn(cursor: Cursor): number {
  const count = readVarint(cursor);
  if (count > cursor.left) throw new Damaged('a part of it is cut off');
  if (count > MAX_KEYS) throw new NotLoadable(TOO_MANY);
  return count;
}

interface Found {
  readonly children: readonly Node[];
  readonly entries: readonly (readonly [string, Entry])[];
}

function readNode(
  source: ByteSource,
  { height, base, lead }: Omit<Node, 'place'>,
  budget: Budget,
): Found {
  const body = bodyOf(source, NODE, budget);
  if (body.u8() !== height || height > MAX_HEIGHT) {
    throw new Damaged('a part of it is not what leads to it');
  }
  const files = readFiles(body, base, budget);
  const count = countIn(body);
  if (count === 0) throw new Damaged('a part of it holds nothing');
  const numbers = (length = count): number[] => Array.from({ length }, () => readVarint(body));
  const [common, rest] = [[0, ...numbers(count - 1)], numbers()];
  const shared = height === 0 ? [] : numbers();
  const keys: Buffer[] = [];
  for (let no = 0; no < count; no += 1) {
    const key = joined(keys[no - 1] ?? Buffer.alloc(0), common[no] ?? 0, body, rest[no] ?? 0);
    budget.take(key.length + lead.length);
    keys.push(key);
  }
  const fileOf = (no: number): NamedFile => {
    const file = files[no];
    if (file === undefined) throw new Damaged('a part of it lies nowhere');
    return file;
  };
  if (height > 0) {
    const [places, at, bytes] = [numbers(), numbers(), numbers()];
    const children = keys.map((key, no) => {
      const file = fileOf(places[no] ?? 0);
      const begins = key.subarray(0, shared[no] ?? 0).toString('latin1');
      return {
        place: { file: file.path, at: at[no] ?? 0, bytes: bytes[no] ?? 0 },
        ...{ height: height - 1, base: file.base, lead: lead + begins },
      };
    });
    return { children, entries: [] };
  }
  const lengths = numbers();
  const isElsewhere = Array.from({ length: count }, () => body.u8() === 1);
  const outside = isElsewhere.filter(Boolean).length;
  const [places, at] = [numbers(outside), numbers(outside)];
  let next = 0;
  const entries = keys.map((key, no): readonly [string, Entry] => {
    const name = lead + new StrictUtf8('a name in it').decode(key);
    const bytes = lengths[no] ?? 0;
    if (isElsewhere[no] !== true) return [name, body.bytes(bytes)];
    const place = { file: fileOf(places[next] ?? 0).path, at: at[next] ?? 0, bytes };
    next += 1;
    return [name, place];
  });
  return { children: [], entries };
}
