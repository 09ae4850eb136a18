import type { Cursor } from './cursor.ts';
import { Damaged } from './damage.ts';

/** Beyond the exact numbers it is longer than any size, which is all that is asked of it. */
export function readVarint(cursor: Cursor): number {
  let [value, factor] = [0, 1];
  for (let no = 0; no < 10; no += 1) {
    const byte = cursor.u8();
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if (byte < 0x80) return value;
  }
  throw new Damaged(`at byte ${String(cursor.at)} is no number`);
}

/** A field of a message, as the wire has it. */
export interface ProtobufField {
  readonly field: number;
  /** 0: a whole number, 1: eight bytes, 2: bytes with a length, 5: four bytes. */
  readonly wire: number;
  /** Of wire 0 the number, of the others how many bytes there are. */
  readonly value: number;
  /** Where they begin. */
  readonly at: number;
}

/** Each field of a message once, in their order; whoever asks reads of the cursor what it wants of one, and no more. */
export function* fieldsOf(cursor: Cursor, end: number): Generator<ProtobufField, void> {
  while (cursor.at < end) {
    const key = readVarint(cursor);
    const [field, wire] = [Math.floor(key / 8), key % 8];
    if (field === 0 || ![0, 1, 2, 5].includes(wire)) {
      throw new Damaged(`at byte ${String(cursor.at)} is no field of a message`);
    }
    const value = wire === 1 ? 8 : wire === 5 ? 4 : readVarint(cursor);
    const { at } = cursor;
    const next = wire === 0 ? at : at + value;
    if (next > end) throw new Damaged(`at byte ${String(at)} a field is longer than its message`);
    yield { field, wire, value, at };
    cursor.skip(next - cursor.at);
  }
  if (cursor.at !== end) throw new Damaged('a field ends behind its message');
}
