import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { lz4FrameLength } from '../packed/lz4-frame.ts';
import { unpackZstd } from '../packed/zstd.ts';
import { quoted } from '../quoted.ts';
import { checkValues, type Place } from './check-values.ts';
import type { FlatTable } from './flatbuffer.ts';
import type { Column, Part } from './schema.ts';

// The numbers of fields are those of `Message.fbs`.
const BATCH = { length: 0, nodes: 1, parts: 2, compression: 3, counts: 4 };
const [LZ4, ZSTANDARD] = [0, 1];
/** A part that is packed is held in memory, and no larger one is. */
const MAX_PACKED_BYTES = 64 * 1024 * 1024;
/** Of all parts of one column together, which are held to look at its values. A column may have any number of them. */
const MAX_COLUMN_BYTES = 2 * MAX_PACKED_BYTES;

export interface Body {
  readonly source: ByteSource;
  readonly at: number;
  readonly bytes: number;
}

export interface Batch {
  readonly rows: number;
  /** Why some of it is not unpacked; null: all is. */
  readonly notUnpacked: string | null;
}

/**
 * Rows of all columns: as many parts as these have, each within the body, over no other, and as long as its values take; and each value
 * within what it lies in.
 *
 * @param lengths Of each list of values that has come so far.
 */
export function readBatch(
  batch: FlatTable,
  columns: readonly Column[],
  body: Body,
  lengths: ReadonlyMap<number, number>,
): Batch {
  const rows = batch.i64(BATCH.length);
  const nodes = batch.structs(BATCH.nodes, 16).map((node) => ({
    length: Number(node.getBigInt64(0, true)),
    nulls: Number(node.getBigInt64(8, true)),
  }));
  const places = placesOf(batch, body);
  const counts = batch.structs(BATCH.counts, 8).map((each) => Number(each.getBigInt64(0, true)));
  const compression = batch.table(BATCH.compression);
  const codec = compression?.u8(0) ?? null;
  let notUnpacked: string | null = null;
  let [node, place, count] = [0, 0, 0];
  const unpackedOf = (part: Place, most: number): Unpacked => {
    if (codec === null || part.bytes === 0) return { length: part.bytes, plain: NOTHING };
    const unpacked = unpackPart(part, body, codec, most);
    if (typeof unpacked === 'string') notUnpacked ??= unpacked;
    return typeof unpacked === 'string' ? NOT_UNPACKED : unpacked;
  };
  const walk = (column: Column): void => {
    const of = `the column ${quoted(column.name)}`;
    const here = nodes[node];
    node += 1;
    if (here === undefined || here.length < 0 || here.nulls < 0 || here.nulls > here.length) {
      throw new Damaged(`${of} is not described`);
    }
    const first = place;
    const unpacked: Buffer[] = [];
    let left = MAX_COLUMN_BYTES;
    for (const part of column.parts) {
      const more = part.kind === 'more' ? (counts[count] ?? -1) : 1;
      if (part.kind === 'more') count += 1;
      if (more < 0) throw new Damaged(`${of} has less parts than its type`);
      for (let no = 0; no < more; no += 1) {
        const lies = places[place];
        place += 1;
        if (lies === undefined) throw new Damaged(`${of} has less parts than its type`);
        const { length, plain } = unpackedOf(lies, left);
        if (plain !== null) unpacked.push(plain);
        left -= plain?.length ?? 0;
        if (length !== null && length < leastOf(part, here.length, here.nulls)) {
          throw new Damaged(`${of} is shorter than its values take`);
        }
      }
    }
    const values =
      codec === null
        ? { source: body.source, places: places.slice(first, place) }
        : inOneRow(unpacked);
    if (values.places.length === place - first) {
      let child = node;
      const childLengths = column.children.map((each) => {
        const length = nodes[child]?.length ?? 0;
        child += nodesIn(each);
        return length;
      });
      checkValues(values.source, {
        ...{ ...here, column, of, childLengths, places: values.places },
        listLength: column.list === undefined ? undefined : lengths.get(column.list),
      });
    }
    for (const child of column.children) {
      if ((nodes[node]?.length ?? -1) < here.length * (column.each ?? 0)) {
        throw new Damaged(`${of} has less values nested in it than it takes`);
      }
      walk(child);
    }
  };
  for (const column of columns) {
    if (rows < 0 || nodes[node]?.length !== rows) {
      throw new Damaged(`the column ${quoted(column.name)} has another number of values than rows`);
    }
    walk(column);
  }
  if (node !== nodes.length || place !== places.length || count !== counts.length) {
    throw new Damaged('some rows have more parts than their columns');
  }
  return { rows, notUnpacked };
}

const nodesIn = ({ children }: Column): number =>
  children.reduce((sum, child) => sum + nodesIn(child), 1);

function leastOf(part: Part, length: number, nulls: number): number {
  if (part.kind === 'valid') return nulls === 0 ? 0 : Math.ceil(length / 8);
  if (part.kind === 'bits') return Math.ceil(length / 8);
  if (part.kind !== 'fixed' || length === 0) return 0;
  return (length + part.extra) * part.width;
}

function placesOf(batch: FlatTable, body: Body): readonly Place[] {
  let end = 0;
  return batch.structs(BATCH.parts, 16).map((part) => {
    const [at, bytes] = [part.getBigInt64(0, true), part.getBigInt64(8, true)].map(Number);
    if (at === undefined || bytes === undefined || at < 0 || bytes < 0 || at + bytes > body.bytes) {
      throw new Damaged('a part of some rows ends behind them');
    }
    if (at % 8 !== 0) throw new Damaged('a part of some rows does not begin where one may');
    if (bytes > 0 && at < end) throw new Damaged('parts of some rows overlap');
    if (bytes > 0) end = at + bytes;
    return { at: body.at + at, bytes };
  });
}

interface Unpacked {
  /** Null: it is not unpacked. */
  readonly length: number | null;
  /** Null: it is longer than what is held in memory. */
  readonly plain: Buffer | null;
}

const NOT_UNPACKED: Unpacked = { length: null, plain: null };
const TOO_MUCH = 'a column of some rows unpacks to more than Leasehold looks into';

/**
 * Before it stands how long it was, or -1 where it did not become shorter.
 *
 * @param most Of what may be held. A text: why it is not unpacked.
 */
function unpackPart(
  { at, bytes }: Place,
  { source }: Body,
  codec: number,
  most: number,
): Unpacked | string {
  if (bytes < 8) throw new Damaged('a packed part of some rows is cut off');
  const said = Number(Buffer.from(source.read(at, 8)).readBigInt64LE(0));
  if (said < -1) throw new Damaged('a packed part of some rows says no length');
  const plainBytes = said === -1 ? bytes - 8 : said;
  const isHeld = plainBytes <= MAX_PACKED_BYTES;
  if (isHeld && plainBytes > most) return TOO_MUCH;
  if (said === -1) {
    return {
      length: plainBytes,
      plain: isHeld ? Buffer.from(source.read(at + 8, bytes - 8)) : null,
    };
  }
  if (codec !== LZ4 && codec !== ZSTANDARD) {
    return 'it is packed in a way that Leasehold does not unpack';
  }
  if (Math.max(bytes, codec === ZSTANDARD ? said : 0) > MAX_PACKED_BYTES) {
    throw new NotLoadable('a packed part of it is larger than Leasehold looks into');
  }
  const packed = source.read(at + 8, bytes - 8);
  const plain = isHeld ? Buffer.alloc(said) : null;
  const length =
    codec === LZ4 ? lz4FrameLength(packed, plain ?? undefined) : unpackInto(plain, packed);
  if (length !== said) {
    throw new Damaged('a packed part of some rows unpacks to another length than it says');
  }
  return { length, plain };
}

function unpackInto(plain: Buffer | null, packed: Uint8Array): number {
  let at = 0;
  return unpackZstd(packed, plain?.length ?? 0, (piece) => {
    plain?.set(piece, at);
    at += piece.length;
  });
}

const NOTHING = Buffer.alloc(0);

/** What was unpacked of one column, as if it lay in a file, part behind part. Nobody reads beyond the end of one. */
function inOneRow(parts: readonly Buffer[]): {
  readonly source: ByteSource;
  readonly places: readonly Place[];
} {
  let end = 0;
  const places = parts.map(({ length: bytes }): Place => {
    end += bytes;
    return { at: end - bytes, bytes };
  });
  const read = (at: number, length: number): Uint8Array => {
    const no = places.findIndex((place) => at < place.at + place.bytes);
    const from = at - (places[no]?.at ?? 0);
    return parts[no]?.subarray(from, from + length) ?? NOTHING;
  };
  return { source: { sizeBytes: end, read }, places };
}
