import { Damaged } from '../damage.ts';
import { readVarint, type Payload } from './cells.ts';

/** Of values by the number that tells of them; from 12 on, texts and bytes. */
const BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const FIRST_LONG = 12;
/** From here on, each second one is a text. */
export const FIRST_TEXT = 13;

export interface RecordValue {
  readonly type: number;
  readonly at: number;
  readonly bytes: number;
}

/** The values of a row, which are as long together as the row. Null: what tells of them does not stand in the page. */
export function readRecord({ bytes, local }: Payload, of: string): readonly RecordValue[] | null {
  const head = readVarint(local, 0);
  const headBytes = Number(head?.value ?? 0);
  if (head === null || headBytes < head.end || headBytes > bytes) throw notOne(of);
  if (headBytes > local.length) return null;
  const values: RecordValue[] = [];
  let [at, end] = [head.end, headBytes];
  while (at < headBytes) {
    const type = readVarint(local, at);
    if (type === null || type.end > headBytes) throw notOne(of);
    const number = Number(type.value);
    const length = number < FIRST_LONG ? BYTES[number] : Math.floor((number - FIRST_LONG) / 2);
    if (length === undefined) throw notOne(of);
    values.push({ type: number, at: end, bytes: length });
    end += length;
    at = type.end;
  }
  if (end !== bytes) throw notOne(of);
  return values;
}

const notOne = (of: string): Damaged =>
  new Damaged(`${of} has a row that is of another length than its values`);
