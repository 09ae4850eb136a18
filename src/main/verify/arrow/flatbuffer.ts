import { Damaged } from '../damage.ts';
import { StrictUtf8 } from '../utf8.ts';

/** A table of a flatbuffer: fields by their number, each of which may be missing. What leads out of the buffer is damage. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: readonly number[];

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    within(view, 0, 4);
    return new FlatTable(view, view.getUint32(0, true));
  }

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    within(view, at, 4);
    const listAt = at - view.getInt32(at, true);
    within(view, listAt, 4);
    const listBytes = view.getUint16(listAt, true);
    const tableBytes = view.getUint16(listAt + 2, true);
    within(view, listAt, listBytes);
    within(view, at, tableBytes);
    if (listBytes < 4 || listBytes % 2 !== 0) throw new Damaged(NONE);
    this.#fields = Array.from({ length: listBytes / 2 - 2 }, (_, no) =>
      view.getUint16(listAt + 4 + 2 * no, true),
    );
    if (this.#fields.some((field) => field >= tableBytes && field !== 0)) throw new Damaged(NONE);
  }

  has(field: number): boolean {
    return (this.#fields[field] ?? 0) !== 0;
  }

  u8(field: number, otherwise = 0): number {
    const at = this.#place(field, 1);
    return at === null ? otherwise : this.#view.getUint8(at);
  }

  i16(field: number, otherwise = 0): number {
    const at = this.#place(field, 2);
    return at === null ? otherwise : this.#view.getInt16(at, true);
  }

  i32(field: number, otherwise = 0): number {
    const at = this.#place(field, 4);
    return at === null ? otherwise : this.#view.getInt32(at, true);
  }

  /** What is beyond the exact numbers is longer than any file. */
  i64(field: number): number {
    const at = this.#place(field, 8);
    return at === null ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  table(field: number): FlatTable | null {
    const at = this.#reference(field);
    return at === null ? null : new FlatTable(this.#view, at);
  }

  text(field: number): string {
    const list = this.#list(field, 1);
    const { buffer, byteOffset } = this.#view;
    return new StrictUtf8('a name in it').decode(
      new Uint8Array(buffer, byteOffset + list.at, list.count),
    );
  }

  /** Each of a list of tables, one after the other. */
  *tables(field: number): Generator<FlatTable, void> {
    const { at, count } = this.#list(field, 4);
    for (let no = 0; no < count; no += 1) {
      const place = at + 4 * no;
      yield new FlatTable(this.#view, place + this.#view.getUint32(place, true));
    }
  }

  /** Whole numbers of four bytes. Null: there is no list of them. */
  wholes(field: number): readonly number[] | null {
    if (!this.has(field)) return null;
    const { at, count } = this.#list(field, 4);
    return Array.from({ length: count }, (_, no) => this.#view.getInt32(at + 4 * no, true));
  }

  /** A list of parts of so many bytes, each of which begins with whole numbers of eight. */
  structs(field: number, bytes: number): readonly DataView[] {
    const { at, count } = this.#list(field, bytes);
    const { buffer, byteOffset } = this.#view;
    return Array.from(
      { length: count },
      (_, no) => new DataView(buffer, byteOffset + at + bytes * no, bytes),
    );
  }

  #list(field: number, bytes: number): { readonly at: number; readonly count: number } {
    const at = this.#reference(field);
    if (at === null) return { at: 0, count: 0 };
    within(this.#view, at, 4);
    const count = this.#view.getUint32(at, true);
    within(this.#view, at + 4, count * bytes);
    return { at: at + 4, count };
  }

  #reference(field: number): number | null {
    const at = this.#place(field, 4);
    return at === null ? null : at + this.#view.getUint32(at, true);
  }

  #place(field: number, bytes: number): number | null {
    const offset = this.#fields[field] ?? 0;
    if (offset === 0) return null;
    within(this.#view, this.#at + offset, bytes);
    return this.#at + offset;
  }
}

const NONE = 'what it says of itself is cut off or leads nowhere';

function within(view: DataView, at: number, bytes: number): void {
  if (at < 0 || at + bytes > view.byteLength) throw new Damaged(NONE);
}
