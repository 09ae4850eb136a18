import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { checkFooter } from './check-buffer.ts';
import { FlatTable } from './flatbuffer.ts';

export const MARK = 'ARROW1';
const FOOTER = { schema: 1, dictionaries: 2, batches: 3 };
/** The mark, filled up, at the beginning; the length and the mark at the end. */
const [LEAD_BYTES, TAIL_BYTES] = [8, 10];
const MAX_FOOTER_BYTES = 64 * 1024 * 1024;

/** Where a message begins, how long it is with its length before it, and what follows it. */
export interface Block {
  readonly at: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
  readonly isDictionary: boolean;
}

export interface Footer {
  readonly at: number;
  /** Of the first message that it names, or where it begins itself. */
  readonly firstAt: number;
  /** The columns once more: a reader takes them from here. */
  readonly schema: FlatTable;
  /** What was found against what it says. */
  readonly check: (found: readonly Block[]) => void;
}

/** What stands at the end of a file that is no stream: where each of its messages is. */
export function readFooter(source: ByteSource): Footer {
  const { sizeBytes } = source;
  if (sizeBytes < LEAD_BYTES + TAIL_BYTES) throw new Damaged('it is cut off');
  const tail = new Cursor(source, 'its end', sizeBytes - TAIL_BYTES);
  const bytes = tail.u32();
  if (String.fromCharCode(...tail.bytes(MARK.length)) !== MARK) {
    throw new Damaged('it does not end as it begins: it is cut off');
  }
  const at = sizeBytes - TAIL_BYTES - bytes;
  if (at < LEAD_BYTES) throw new Damaged('its end is longer than it');
  if (bytes > MAX_FOOTER_BYTES) throw new NotLoadable('its end is longer than Leasehold reads');
  const told = source.read(at, bytes);
  checkFooter(told);
  const table = FlatTable.root(told);
  const said = [
    ...blocksOf(table, FOOTER.dictionaries, true),
    ...blocksOf(table, FOOTER.batches, false),
  ].sort((a, b) => a.at - b.at);
  const check = (found: readonly Block[]): void => {
    const isSame = (block: Block | undefined, other: Block): boolean =>
      block?.at === other.at &&
      block.metadataBytes === other.metadataBytes &&
      block.bodyBytes === other.bodyBytes &&
      block.isDictionary === other.isDictionary;
    if (found.length !== said.length || !found.every((block, no) => isSame(said[no], block))) {
      throw new Damaged('its rows do not lie where its end says');
    }
  };
  const schema = table.table(FOOTER.schema);
  if (schema === null) throw new Damaged('its end does not describe its columns');
  const firstAt = Math.max(LEAD_BYTES, said[0]?.at ?? at);
  return { at, firstAt, schema, check };
}

function blocksOf(table: FlatTable, field: number, isDictionary: boolean): readonly Block[] {
  return table.structs(field, 24).map((block) => ({
    at: Number(block.getBigInt64(0, true)),
    metadataBytes: block.getInt32(8, true),
    bodyBytes: Number(block.getBigInt64(16, true)),
    isDictionary,
  }));
}
