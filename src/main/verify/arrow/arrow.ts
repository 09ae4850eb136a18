import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { plural } from '../plural.ts';
import type { Format } from '../reading.ts';
import { readBatch, type Body } from './batch.ts';
import { checkMessage } from './check-buffer.ts';
import { FlatTable } from './flatbuffer.ts';
import { MARK, readFooter, type Block, type Footer } from './footer.ts';
import { readSchema, type Schema } from './schema.ts';

/** Feather is the same under another name; `.arrows` are streams, and `.arrow` may be one too. */
export const arrow: Format = {
  name: 'arrow',
  ends: /\.(?:arrows?|feather|ipc)$/i,
  open: openArrow,
};

// The numbers of fields and kinds are those of `Message.fbs`.
const MESSAGE = { version: 0, kind: 1, header: 2, bodyBytes: 3 };
const [SCHEMA, DICTIONARY, BATCH] = [1, 2, 3];
/** What is less leads to the beginning of a message, and is no length. */
const SHORTEST_MESSAGE = 16;
const GOES_ON = 0xffffffff;
const [OLDEST_VERSION, NEWEST_VERSION] = [3, 4];
const MAX_METADATA_BYTES = 64 * 1024 * 1024;
const FIRST_FEATHER = 'FEA1';

interface Found {
  columns: number;
  rows: number;
  batches: number;
  isEnded: boolean;
  notUnpacked: string | null;
}

function openArrow(source: ByteSource): ReturnType<Format['open']> {
  const mark = String.fromCharCode(...source.read(0, Math.min(MARK.length, source.sizeBytes)));
  if (mark.startsWith(FIRST_FEATHER)) {
    throw new NotLoadable(
      'it is of the first version of Feather, which Leasehold does not look into',
    );
  }
  const footer = mark === MARK ? readFooter(source) : null;
  const found: Found = { columns: 0, rows: 0, batches: 0, isEnded: false, notUnpacked: null };
  const walk = walkMessages(source, footer, found);
  let nextAt = walk.next();
  return {
    // What is packed is read once more, soon after it has passed by.
    take: (piece, at) => {
      while (nextAt.done !== true && nextAt.value <= at + piece.length) nextAt = walk.next();
    },
    end: () => {
      if (nextAt.done !== true) throw new Error('A file of Arrow was not walked to its end.');
      if (found.notUnpacked !== null) throw new NotLoadable(found.notUnpacked);
      const { rows, columns, batches, isEnded } = found;
      const holds = `${plural(rows, 'row')}, ${plural(columns, 'column')}, ${batches === 1 ? '1 batch' : `${String(batches)} batches`}`;
      return { kind: 'loaded', format: 'arrow', holds: isEnded ? holds : `${holds}, no end mark` };
    },
  };
}

/** Its messages, one behind the other. It yields where each ends, before it looks at the next. */
function* walkMessages(
  source: ByteSource,
  footer: Footer | null,
  found: Found,
): Generator<number, void> {
  const end = footer?.at ?? source.sizeBytes;
  const blocks: Block[] = [];
  const lengths = new Map<number, number>();
  let schema: Schema | null = null;
  let at = footer === null ? 0 : 8;
  if (footer !== null && isWithoutLength(source)) {
    schema = readSchema(footer.schema, false);
    at = footer.firstAt;
  }
  while (at < end) {
    const message = readMessage(source, at, end);
    if (message === null) {
      found.isEnded = true;
      at += source.read(at, 1)[0] === 0xff ? 8 : 4;
      break;
    }
    const { kind, header, body, version } = message;
    const nextAt = body.at + body.bytes;
    yield nextAt;
    if ((kind === SCHEMA) !== (schema === null)) {
      throw new Damaged('its columns are not described before its rows, and once');
    }
    schema ??= readSchema(header, version < NEWEST_VERSION);
    const block = { at, metadataBytes: body.at - at, bodyBytes: body.bytes };
    if (kind === BATCH) {
      const { rows, notUnpacked } = readBatch(header, schema.columns, body, lengths);
      [found.rows, found.batches] = [found.rows + rows, found.batches + 1];
      found.notUnpacked ??= notUnpacked;
    } else if (kind === DICTIONARY)
      found.notUnpacked ??= readDictionary(header, schema, body, lengths);
    if (kind !== SCHEMA) blocks.push({ ...block, isDictionary: kind === DICTIONARY });
    at = nextAt;
  }
  if (schema === null) throw new Damaged('its columns are not described');
  if (at !== end) throw new Damaged('there are bytes behind its end');
  found.columns = schema.columns.length;
  if (footer === null) return;
  const { columns } = readSchema(footer.schema, false);
  if (JSON.stringify(columns) !== JSON.stringify(schema.columns)) {
    throw new Damaged('its columns are described in two ways');
  }
  footer.check(blocks);
}

/** Polars puts no length before the columns at the beginning of a file: whoever reads one takes them from its end. */
const isWithoutLength = (source: ByteSource): boolean =>
  new Cursor(source, 'its beginning', 8).u32() < SHORTEST_MESSAGE;

/** The lists of values that columns have in common: each is rows of one column. */
function readDictionary(
  header: FlatTable,
  schema: Schema,
  body: Body,
  lengths: Map<number, number>,
): string | null {
  const id = header.i64(0);
  const column = schema.dictionaries.get(id);
  const batch = header.table(1);
  if (column === undefined || batch === null) {
    throw new Damaged('a list of values belongs to no column');
  }
  const { rows, notUnpacked } = readBatch(batch, [column], body, lengths);
  const isMore = header.u8(2) !== 0;
  lengths.set(id, rows + (isMore ? (lengths.get(id) ?? 0) : 0));
  return notUnpacked;
}

interface Message {
  readonly kind: number;
  readonly version: number;
  readonly header: FlatTable;
  readonly body: Body;
}

/** Null: it says that none follows. */
function readMessage(source: ByteSource, at: number, end: number): Message | null {
  const cursor = new Cursor(source, 'a message in it', at, end, 64);
  let bytes = cursor.u32();
  // Before the version 0.15 nothing stood before its length.
  if (bytes === GOES_ON) bytes = cursor.u32();
  if (bytes === 0) return null;
  if (bytes > cursor.left) throw new Damaged('a message in it is cut off');
  if (bytes > MAX_METADATA_BYTES) {
    throw new NotLoadable('what it says of itself is longer than Leasehold reads');
  }
  const told = source.read(cursor.at, bytes);
  checkMessage(told);
  const table = FlatTable.root(told);
  const bodyAt = cursor.at + bytes;
  const bodyBytes = table.i64(MESSAGE.bodyBytes);
  const [kind, version] = [table.u8(MESSAGE.kind), table.i16(MESSAGE.version)];
  const header = table.table(MESSAGE.header);
  if (kind < SCHEMA || version < 0 || version > NEWEST_VERSION || header === null) {
    throw new Damaged('a message in it is of no kind');
  }
  if (version < OLDEST_VERSION) throw new NotLoadable('it is of an older version of Arrow');
  if (kind > BATCH) throw new NotLoadable('it holds something else than tables');
  if (bodyBytes < 0 || bodyBytes > end - bodyAt || (kind === SCHEMA && bodyBytes > 0)) {
    throw new Damaged('a message in it is cut off');
  }
  return { kind, version, header, body: { source, at: bodyAt, bytes: bodyBytes } };
}
