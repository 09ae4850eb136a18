import { Damaged, notUnpacked } from '../damage.ts';
import { lz4BlockLength } from './lz4-block.ts';
import { xxhash32 } from './xxhash32.ts';

const MARK = 0x184d2204;
const VERSION = 0x40;
const FLAG = {
  version: 0xc0,
  hasBlockSums: 0x10,
  hasSize: 0x08,
  hasSum: 0x04,
  hasDictionary: 0x01,
};
const STORED = 0x80000000;
/** How far back a block may repeat what others before it have. */
const WINDOW_BYTES = 65_536;

/**
 * How many bytes one frame of LZ4 unpacks to, which must be all that is there.
 *
 * @param into Where they are put. Absent: nothing is unpacked.
 */
export function lz4FrameLength(packed: Uint8Array, into?: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let at = 0;
  const part = (bytes: number): Uint8Array => {
    if (bytes > packed.length - at) throw new Damaged('what LZ4 packed in it is cut off');
    at += bytes;
    return packed.subarray(at - bytes, at);
  };
  const u32 = (): number => {
    part(4);
    return view.getUint32(at - 4, true);
  };
  if (u32() !== MARK) throw new Damaged('what LZ4 packed in it does not begin as such');
  const [flags = 0] = part(2);
  if ((flags & FLAG.version) !== VERSION) throw new Damaged('what LZ4 packed is of no version');
  if ((flags & FLAG.hasSize) !== 0) part(8);
  if ((flags & FLAG.hasDictionary) !== 0) part(4);
  const told = (xxhash32(packed.subarray(4, at)) >>> 8) & 0xff;
  if (part(1)[0] !== told) throw new Damaged('the beginning of what LZ4 packed is another one');
  let made = 0;
  for (let size = u32(); size !== 0; size = u32()) {
    const block = part(size % STORED);
    if ((flags & FLAG.hasBlockSums) !== 0 && u32() !== xxhash32(block)) {
      throw new Damaged('a block of what LZ4 packed has another checksum than it should have');
    }
    if (size < STORED) {
      made += lz4BlockLength(block, Math.min(made, WINDOW_BYTES), into, made);
      continue;
    }
    if (into !== undefined && made + block.length > into.length) throw notUnpacked();
    into?.set(block, made);
    made += block.length;
  }
  if ((flags & FLAG.hasSum) !== 0) part(4);
  if (at !== packed.length) throw new Damaged('there are bytes behind what LZ4 packed');
  if ((flags & FLAG.hasSize) !== 0 && Number(view.getBigUint64(6, true)) !== made) {
    throw new Damaged('what LZ4 packed in it unpacks to another length than it says');
  }
  return made;
}
