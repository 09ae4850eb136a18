import type { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import { isNowhere, type Hdf5File } from './parts.ts';

const SYMBOL_BYTES = 40;
const SOFT_LINK = 2;
const MAX_NAME_BYTES = 1024;
/** Each level has some tens of times as many as the one above it. */
const MAX_LEVELS = 16;

export interface Member {
  readonly name: string;
  /** Of its object header. */
  readonly at: number;
}

/** How full a node may be: so many twice. */
export interface TreeSizes {
  readonly leaf: number;
  readonly internal: number;
}

/** What a group of the older kind holds: names in a heap, and a tree of them; links that lead elsewhere are not followed. */
export function readGroup(
  file: Hdf5File,
  { treeAt, heapAt }: { readonly treeAt: number; readonly heapAt: number },
  sizes: TreeSizes,
): readonly Member[] {
  const heap = file.part(heapAt, 32, 'a heap of names', 'HEAP');
  heap.skip(4);
  const heapBytes = heap.u64();
  const freeAt = heap.u64();
  const names = { at: heap.u64(), bytes: heapBytes };
  file.extents.claim(names.at, names.bytes, 'the names of a group');
  checkFree(file, freeAt, names);
  const members: Member[] = [];
  let before: Buffer | null = null;
  const checkKey = (key: Cursor): void => {
    if (key.u64() >= names.bytes) throw new Damaged('a name of it is not among the names');
  };
  for (const at of leavesOf(file, treeAt, sizes.internal, 8, checkKey)) {
    const node = file.part(at, 8 + 2 * sizes.leaf * SYMBOL_BYTES, 'a node of names', 'SNOD');
    node.skip(2);
    const count = node.u16();
    if (count > 2 * sizes.leaf) throw new Damaged('a node of names has more than it has room for');
    for (let no = 0; no < count; no += 1) {
      const { letters, member } = readSymbol(file, node, names);
      if (before !== null && before.compare(letters) >= 0) {
        throw new Damaged('the names of a group are not in their order');
      }
      before = letters;
      if (member !== null) members.push(member);
    }
  }
  return members;
}

/** None is left behind this one. */
const LAST_FREE = 1;
const FREE_BYTES = 16;

/** Room among the names that is not used: one place leads to the next. */
function checkFree(
  file: Hdf5File,
  freeAt: number,
  { at, bytes }: { readonly at: number; readonly bytes: number },
): void {
  let left = Math.ceil(bytes / FREE_BYTES);
  for (let place = freeAt; place !== LAST_FREE; left -= 1) {
    const wrong = new Damaged('the names of a group have room that is none');
    if (left < 0 || place === 0 || place + FREE_BYTES > bytes) {
      // Without any room the library has left its mark out.
      if (isNowhere(place)) return;
      throw wrong;
    }
    const free = file.cursor(at + place, FREE_BYTES, 'the names of a group');
    const [next, size] = [free.u64(), free.u64()];
    if (place + size > bytes) throw wrong;
    place = next;
  }
}

function readSymbol(
  file: Hdf5File,
  node: Cursor,
  names: { readonly at: number; readonly bytes: number },
): { readonly letters: Buffer; readonly member: Member | null } {
  const [nameAt, at, cache] = [node.u64(), node.u64(), node.u32()];
  node.skip(20);
  if (nameAt >= names.bytes) throw new Damaged('a name of it is not among the names');
  const most = Math.min(MAX_NAME_BYTES, names.bytes - nameAt);
  const letters = file.cursor(names.at + nameAt, most, 'a name').bytes(most);
  const end = letters.indexOf(0);
  if (end < 0) throw new Damaged('a name of it has no end');
  if (cache > SOFT_LINK) throw new Damaged('a name of it leads to nothing that is known');
  const own = Buffer.from(letters.subarray(0, end));
  return { letters: own, member: cache === SOFT_LINK ? null : { name: own.toString(), at } };
}

/** Of a tree, the addresses of what its lowest nodes lead to, in their order. */
export function* leavesOf(
  file: Hdf5File,
  rootAt: number,
  half: number,
  keyBytes: number,
  onKey: (key: Cursor, child: number) => void = () => undefined,
): Generator<number, void> {
  const isOfGroup = keyBytes === 8;
  const waiting: { readonly at: number; readonly level: number | null }[] = [
    { at: rootAt, level: null },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const bytes = 24 + 2 * half * (keyBytes + 8) + keyBytes;
    const node = file.part(next.at, bytes, 'a node of a tree', 'TREE');
    const [type, level, used] = [node.u8(), node.u8(), node.u16()];
    const isLevel = next.level === null ? level <= MAX_LEVELS : level === next.level;
    if (type !== (isOfGroup ? 0 : 1) || !isLevel || used > 2 * half) {
      throw new Damaged('a node of a tree is not what leads to it');
    }
    node.skip(16);
    const children: number[] = [];
    for (let no = 0; no < used; no += 1) {
      const { at } = node;
      node.skip(keyBytes);
      const child = node.u64();
      if (level === 0 || isOfGroup) onKey(file.cursor(at, keyBytes, 'a key of a tree'), child);
      children.push(child);
    }
    if (isOfGroup && used > 0) onKey(file.cursor(node.at, keyBytes, 'a key of a tree'), 0);
    if (level === 0) yield* children;
    else for (const at of children.reverse()) waiting.push({ at, level: level - 1 });
  }
}
