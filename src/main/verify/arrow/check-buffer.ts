import { Damaged } from '../damage.ts';

/**
 * What a field of a table is: a number of so many bytes, a text, a list of parts of so many bytes, a table or a list of them, or a table of
 * the kind that the field before it says.
 */
type Field =
  | 1
  | 2
  | 4
  | 8
  | 'text'
  | { readonly list: number; readonly align: number }
  | { readonly table: () => Table }
  | { readonly tables: () => Table }
  | { readonly oneOf: () => readonly (Table | null)[] };
type Table = readonly Field[];

// By `Schema.fbs`, `Message.fbs` and `File.fbs`, in the order of their fields.
const WHOLE_NUMBER: Table = [4, 1];
const NONE: Table = [];
const KIND_ONLY: Table = [2];
/** By the number of each type. */
const TYPES: readonly (Table | null)[] = [
  null,
  NONE,
  WHOLE_NUMBER,
  KIND_ONLY, // numbers with a point
  NONE,
  NONE,
  NONE,
  [4, 4, 4], // decimals
  KIND_ONLY, // days
  [2, 4], // times
  [2, 'text'], // moments, and where
  KIND_ONLY, // spans
  NONE,
  NONE,
  [2, { list: 4, align: 4 }], // one of several
  [4], // so many bytes
  [4], // so many values
  [1], // a map
  KIND_ONLY, // lengths of time
];
const NOTE: Table = ['text', 'text'];
const notes: Field = { tables: () => NOTE };
const DICTIONARY: Table = [8, { table: () => WHOLE_NUMBER }, 1, 2];
const COLUMN: Table = [
  'text',
  1,
  1,
  { oneOf: () => TYPES },
  { table: () => DICTIONARY },
  { tables: () => COLUMN },
  notes,
];
const SCHEMA: Table = [2, { tables: () => COLUMN }, notes, { list: 8, align: 8 }];
const PAIRS: Field = { list: 16, align: 8 };
const ROWS: Table = [8, PAIRS, PAIRS, { table: () => [1, 1] }, { list: 8, align: 8 }];
const VALUES: Table = [8, { table: () => ROWS }, 1];
const MESSAGE: Table = [2, 1, { oneOf: () => [null, SCHEMA, VALUES, ROWS] }, 8, notes];
const BLOCKS: Field = { list: 24, align: 8 };
const FOOTER: Table = [2, { table: () => SCHEMA }, BLOCKS, BLOCKS, notes];

/** What a reader of Arrow refuses: places that lead out of the buffer, that lie where none may, and texts without an end. */
export const checkMessage = (bytes: Uint8Array): void => new BufferCheck(bytes).root(MESSAGE);
export const checkFooter = (bytes: Uint8Array): void => new BufferCheck(bytes).root(FOOTER);

const MAX_LEVELS = 128;

class BufferCheck {
  readonly #view: DataView;
  /** A buffer may lead to one table many times. */
  #tablesLeft: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#tablesLeft = 8 * bytes.length;
  }

  root(table: Table): void {
    this.#table(this.#reference(0), table, 0);
  }

  #table(at: number, fields: Table, level: number): void {
    this.#tablesLeft -= 1;
    if (level > MAX_LEVELS || this.#tablesLeft < 0) throw nowhere();
    this.#within(at, 4, 4);
    const listAt = at - this.#view.getInt32(at, true);
    this.#within(listAt, 4, 2);
    const listBytes = this.#view.getUint16(listAt, true);
    if (listBytes % 2 !== 0) throw nowhere();
    this.#within(listAt, listBytes, 2);
    let kind = 0;
    for (const [no, field] of fields.entries()) {
      const slot = 4 + 2 * no;
      const offset = slot < listBytes ? this.#view.getUint16(listAt + slot, true) : 0;
      if (offset !== 0) this.#field(at + offset, field, kind, level);
      kind = field === 1 && offset !== 0 ? this.#view.getUint8(at + offset) : 0;
    }
  }

  #field(at: number, field: Field, kind: number, level: number): void {
    if (typeof field === 'number') return this.#within(at, field, field);
    const to = this.#reference(at);
    if (field === 'text') {
      const end = this.#list(to, 1, 1);
      this.#within(end, 1, 1);
      if (this.#view.getUint8(end) !== 0) throw nowhere();
    } else if ('list' in field) this.#list(to, field.list, field.align);
    else if ('table' in field) this.#table(to, field.table(), level + 1);
    else if ('tables' in field) {
      const end = this.#list(to, 4, 4);
      for (let each = to + 4; each < end; each += 4) {
        this.#table(this.#reference(each), field.tables(), level + 1);
      }
    } else {
      const table = field.oneOf()[kind];
      // Another kind is told by whoever reads it.
      if (table !== undefined && table !== null) this.#table(to, table, level + 1);
    }
  }

  /** Where it ends. */
  #list(at: number, bytes: number, align: number): number {
    this.#within(at, 4, 4);
    const count = this.#view.getUint32(at, true);
    this.#within(at + 4, count * bytes, count === 0 ? 1 : align);
    return at + 4 + count * bytes;
  }

  #reference(at: number): number {
    this.#within(at, 4, 4);
    const by = this.#view.getUint32(at, true);
    if (by === 0) throw nowhere();
    return at + by;
  }

  #within(at: number, bytes: number, align: number): void {
    if (at < 0 || at % align !== 0 || at + bytes > this.#view.byteLength) throw nowhere();
  }
}

const nowhere = (): Damaged => new Damaged('what it says of itself is cut off or leads nowhere');
