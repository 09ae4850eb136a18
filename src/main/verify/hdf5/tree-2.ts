import { Damaged } from '../damage.ts';
import { isNowhere, SUM_BYTES, uint, widthOf, type Hdf5File } from './parts.ts';

/** Before and behind the records of a node: a mark, a version, a type, a checksum. */
const AROUND_BYTES = 10;
const ADDRESS_BYTES = 8;
const MAX_DEPTH = 32;
const HEADER_BYTES = 38;

/** How many records a node of one level has room for, and all nodes below it together. */
interface Level {
  readonly most: number;
  readonly mostBelow: number;
}

/** The records of a tree of the newer kind, each as its bytes. */
export function* recordsOf(
  file: Hdf5File,
  at: number,
  types: readonly number[],
): Generator<Uint8Array, void> {
  const what = 'a tree';
  const head = file.summed({ at, bytes: HEADER_BYTES, what, mark: 'BTHD' });
  const [version, type] = [head.u8(), head.u8()];
  const [nodeBytes, recordBytes, depth] = [head.u32(), head.u16(), head.u16()];
  head.skip(2);
  const [rootAt, rootCount, total] = [head.u64(), head.u16(), head.u64()];
  if (version !== 0 || !types.includes(type)) throw new Damaged('a tree is of another kind');
  if (recordBytes === 0 || nodeBytes < AROUND_BYTES + recordBytes || depth > MAX_DEPTH) {
    throw new Damaged('a tree has nodes of no size');
  }
  const levels: Level[] = [];
  const pointerBytes = (level: number): number =>
    ADDRESS_BYTES +
    widthOf(levels[0]?.most ?? 0) +
    (level > 1 ? widthOf(levels[level - 1]?.mostBelow ?? 0) : 0);
  for (let level = 0; level <= depth; level += 1) {
    const pointer = level === 0 ? 0 : pointerBytes(level);
    const most = Math.floor((nodeBytes - AROUND_BYTES - pointer) / (recordBytes + pointer));
    const below = levels[level - 1]?.mostBelow ?? 0;
    levels.push({ most, mostBelow: level === 0 ? most : (most + 1) * below + most });
  }
  let seen = 0;
  const waiting = isNowhere(rootAt) ? [] : [{ at: rootAt, count: rootCount, level: depth }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { level, count } = next;
    if (count > (levels[level]?.most ?? 0)) throw new Damaged(NO_ROOM);
    const pointers = level === 0 ? 0 : (count + 1) * pointerBytes(level);
    const node = file.summed({
      ...{ at: next.at, what: 'a node of a tree', mark: level === 0 ? 'BTLF' : 'BTIN' },
      ...{ bytes: 6 + count * recordBytes + pointers + SUM_BYTES, room: nodeBytes },
    });
    if (node.u8() !== 0 || node.u8() !== type) throw new Damaged('a node of a tree is another’s');
    for (let no = 0; no < count; no += 1) yield node.bytes(recordBytes);
    seen += count;
    for (let no = 0; level > 0 && no <= count; no += 1) {
      const child = { at: node.u64(), count: uint(node, widthOf(levels[0]?.most ?? 0)) };
      waiting.push({ ...child, level: level - 1 });
      if (level > 1) node.skip(widthOf(levels[level - 1]?.mostBelow ?? 0));
    }
  }
  if (seen !== total) throw new Damaged('a tree has another number of records than it says');
}

const NO_ROOM = 'a node of a tree has more than it has room for';
