import { Damaged } from '../damage.ts';

const MIN_MATCH = 4;
const CUT = 'what LZ4 packed in it is cut off';

/**
 * How many bytes a block of LZ4 unpacks to: each of its parts is gone through, and nothing is unpacked.
 *
 * @param before How many bytes stand before it that it may repeat.
 */
export function lz4BlockLength(packed: Uint8Array, before = 0): number {
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
    at += literals;
    made += literals;
    // A block ends with what repeats nothing.
    if (at === packed.length) break;
    const back = byte() + 256 * byte();
    if (back === 0 || back > before + made) {
      throw new Damaged('what LZ4 packed in it repeats what is not there');
    }
    made += MIN_MATCH + longer(token & 15);
    if (at === packed.length) throw new Damaged(CUT);
  }
  return made;
}
