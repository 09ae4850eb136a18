import { Damaged, notUnpacked } from '../damage.ts';
import { repeat } from './repeat.ts';

const MIN_MATCH = 4;
const CUT = 'what LZ4 packed in it is cut off';

/**
 * How many bytes a block of LZ4 unpacks to.
 *
 * @param before How many bytes stand before it that it may repeat.
 * @param into Where they are put, from `from` on. Absent: each of its parts is gone through, and nothing is unpacked.
 */
export function lz4BlockLength(
  packed: Uint8Array,
  before = 0,
  into?: Uint8Array,
  from = before,
): number {
  let [at, made] = [0, 0];
  const byte = (): number => {
    const value = packed[at];
    if (value === undefined) throw new Damaged(CUT);
    at += 1;
    return value;
  };
  const longer = (nibble: number): number => {
    let length = nibble;
    if (nibble === 15) {
      let more = 255;
      while (more === 255) {
        more = byte();
        length += more;
      }
    }
    return length;
  };
  for (;;) {
    const token = byte();
    const literals = longer(token >> 4);
    if (literals > packed.length - at) throw new Damaged(CUT);
    if (into !== undefined && from + made + literals > into.length) throw notUnpacked();
    into?.set(packed.subarray(at, at + literals), from + made);
    at += literals;
    made += literals;
    // A block ends with what repeats nothing.
    if (at === packed.length) break;
    const back = byte() + 256 * byte();
    if (back === 0 || back > before + made) {
      throw new Damaged('what LZ4 packed in it repeats what is not there');
    }
    const length = MIN_MATCH + longer(token & 15);
    if (into !== undefined) repeat(into, from + made, back, length);
    made += length;
    if (at === packed.length) throw new Damaged(CUT);
  }
  return made;
}
