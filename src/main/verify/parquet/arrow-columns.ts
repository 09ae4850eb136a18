import { checkMessage } from '../arrow/check-buffer.ts';
import { FlatTable } from '../arrow/flatbuffer.ts';
import { readSchema } from '../arrow/schema.ts';
import type { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { readList, readText, THRIFT, thriftFields, type ThriftField } from './thrift.ts';

const NOTE = { key: 1, value: 2 };
/** Under it the columns stand once more, as Arrow has them: a message of a stream, in letters. */
const COLUMNS = 'ARROW:schema';
const SCHEMA = 1;
const [VERSION, KIND, HEADER] = [0, 1, 2];
const NEWEST_VERSION = 4;
const GOES_ON = 0xffffffff;

/** The notes of a table. Of those only what Arrow’s readers take as columns is looked at. */
export function readNotes(cursor: Cursor, field: ThriftField): void {
  const count = readList(cursor, field, THRIFT.struct);
  for (let no = 0; no < count; no += 1) {
    const note = { key: null as string | null, value: '' };
    for (const part of thriftFields(cursor)) {
      if (part.id === NOTE.key) note.key = readText(cursor, part);
      if (part.id === NOTE.value) note.value = readText(cursor, part);
    }
    if (note.key === null) throw new Damaged('a note of it has no name');
    if (note.key === COLUMNS) checkColumns(note.value);
  }
}

function checkColumns(letters: string): void {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(letters)) throw twisted();
  const bytes = Buffer.from(letters, 'base64');
  if (bytes.length < 12) throw twisted();
  // Before the version 0.15 nothing stood before its length.
  const from = bytes.readUInt32LE(0) === GOES_ON ? 8 : 4;
  const length = bytes.readUInt32LE(from - 4);
  if (from + length > bytes.length) throw twisted();
  const message = bytes.subarray(from, from + length);
  checkMessage(message);
  const table = FlatTable.root(message);
  const header = table.table(HEADER);
  const isOfKnown = table.i16(VERSION) >= 0 && table.i16(VERSION) <= NEWEST_VERSION;
  if (table.u8(KIND) !== SCHEMA || header === null || !isOfKnown) throw twisted();
  readSchema(header, false);
}

const twisted = (): Damaged => new Damaged('its columns as Arrow has them cannot be read');
