import { Damaged, notUnpacked } from '../damage.ts';
import { repeat } from './repeat.ts';

/**
 * How many bytes a block of Snappy unpacks to.
 *
 * @param into Where they are put. Absent: each of its parts is gone through, and nothing is unpacked.
 */
export function snappyLength(packed: Uint8Array, into?: Uint8Array): number {
  let at = 0;
  const byte = (): number => {
    const value = packed[at];
    if (value === undefined) throw new Damaged('what Snappy packed in it is cut off');
    at += 1;
    return value;
  };
  const number = (bytes: number): number => {
    let value = 0;
    for (let no = 0; no < bytes; no += 1) value += byte() * 256 ** no;
    return value;
  };
  const said = readLength(byte);
  if (into !== undefined && said > into.length) throw notUnpacked();
  let made = 0;
  while (at < packed.length) {
    const tag = byte();
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const length = 1 + (short < 60 ? short : number(short - 59));
      if (length > packed.length - at) throw new Damaged('what Snappy packed in it is cut off');
      if (into !== undefined && made + length > into.length) throw notUnpacked();
      into?.set(packed.subarray(at, at + length), made);
      at += length;
      made += length;
      continue;
    }
    const length = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const back = kind === 1 ? (tag >> 5) * 256 + byte() : number(kind === 2 ? 2 : 4);
    if (back === 0 || back > made) {
      throw new Damaged('what Snappy packed in it repeats what is not there');
    }
    if (into !== undefined) repeat(into, made, back, length);
    made += length;
  }
  if (made !== said) {
    throw new Damaged('what Snappy packed in it unpacks to another length than it says');
  }
  return made;
}

function readLength(byte: () => number): number {
  let value = 0;
  for (let no = 0; no < 5; no += 1) {
    const part = byte();
    value += (part & 0x7f) * 128 ** no;
    if (part < 0x80) return value;
  }
  throw new Damaged('what Snappy packed in it says no length');
}
