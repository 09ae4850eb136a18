import { Damaged, NotLoadable } from '../damage.ts';
import { lookup3 } from './lookup3.ts';
import { isNowhere, SUM_BYTES, uint, widthOf, type Hdf5File } from './parts.ts';
import { recordsOf } from './tree-2.ts';

const HEADER_BYTES = 146;
/** What a header tells besides of a block that is packed. */
const FILTERED_BYTES = 12;
/** Of a block, before the place that it has in the heap. */
const LEAD_BYTES = 13;
const ADDRESS_BYTES = 8;
const MAX_ROWS = 64;
const HAS_SUMS = 2;
const [MANAGED, LARGE] = [0, 1];
/** Trees of what is too large for a block: by number, without and with an address in the name itself. */
const LARGE_TREES = [1, 3];

/** Where one object of a heap lies in the file. */
export interface HeapObject {
  readonly at: number;
  readonly bytes: number;
}

interface Block {
  /** Where in the heap it begins. */
  readonly from: number;
  readonly at: number;
  readonly bytes: number;
}

/** A heap of the newer kind: blocks in rows, each row twice as long as the one before it. */
export class Heap {
  readonly #file: Hdf5File;
  readonly #at: number;
  readonly #hasSums: boolean;
  readonly #placeBytes: number;
  readonly #lengthBytes: number;
  readonly #width: number;
  readonly #firstBytes: number;
  readonly #directRows: number;
  readonly #blocks: Block[] = [];
  readonly #large = new Map<number, HeapObject>();
  readonly objects: number;

  constructor(file: Hdf5File, at: number) {
    const what = 'a heap';
    const lead = file.read(at, 9, what);
    const filterBytes = (lead[7] ?? 0) + 256 * (lead[8] ?? 0);
    const bytes = HEADER_BYTES + (filterBytes === 0 ? 0 : FILTERED_BYTES + filterBytes);
    const head = file.summed({ at, bytes, what, mark: 'FRHP' });
    if (filterBytes > 0) throw new NotLoadable('the names in it are packed');
    if (head.u8() !== 0) throw new Damaged('the version of a heap is not known');
    head.skip(4);
    const flags = head.u8();
    const mostManaged = head.u32();
    head.skip(8);
    const largeAt = head.u64();
    head.skip(8 * 5);
    const managed = head.u64();
    head.skip(8);
    const large = head.u64();
    head.skip(8);
    const tiny = head.u64();
    const [width, firstBytes, mostDirect, heapBits] = [
      head.u16(),
      head.u64(),
      head.u64(),
      head.u16(),
    ];
    head.skip(2);
    const [rootAt, rows] = [head.u64(), head.u16()];
    const isPower = (value: number): boolean => Number.isInteger(Math.log2(value));
    if (
      ![width, firstBytes, mostDirect].every(isPower) ||
      mostDirect < firstBytes ||
      heapBits > 64
    ) {
      throw new Damaged('a heap has blocks of no size');
    }
    this.#file = file;
    this.#at = at;
    this.#hasSums = (flags & HAS_SUMS) !== 0;
    this.#placeBytes = Math.ceil(heapBits / 8);
    const directBytes = Math.ceil(Math.log2(mostDirect) / 8);
    this.#lengthBytes = Math.min(directBytes, widthOf(mostManaged));
    this.#width = width;
    this.#firstBytes = firstBytes;
    this.#directRows = Math.log2(mostDirect / firstBytes) + 2;
    this.objects = managed + large + tiny;
    if (!isNowhere(rootAt)) {
      if (rows === 0) this.#addBlock(rootAt, firstBytes, 0);
      else this.#addRows(rootAt, rows, 0);
    }
    this.#blocks.sort((a, b) => a.from - b.from);
    if (!isNowhere(largeAt)) this.#addLarge(largeAt);
  }

  /** By what an index has of it; null: it lies in its name. */
  find(id: Uint8Array): HeapObject | null {
    const kind = ((id[0] ?? 0) >> 4) & 3;
    const number = (from: number, bytes: number): number =>
      id.subarray(from, from + bytes).reduceRight((value, byte) => value * 256 + byte, 0);
    if (kind === LARGE) {
      const found = this.#large.get(number(1, Math.min(8, id.length - 1)));
      if (found === undefined) throw new Damaged(NOWHERE);
      return found;
    }
    if (kind !== MANAGED) return null;
    const place = number(1, this.#placeBytes);
    const bytes = number(1 + this.#placeBytes, this.#lengthBytes);
    const block = this.#blockOf(place);
    if (block === null || place + bytes > block.from + block.bytes) throw new Damaged(NOWHERE);
    return { at: block.at + place - block.from, bytes };
  }

  #blockOf(place: number): Block | null {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle]?.from ?? Infinity) <= place) low = middle + 1;
      else high = middle;
    }
    return this.#blocks[low - 1] ?? null;
  }

  #addBlock(at: number, bytes: number, from: number): void {
    const what = 'a block of a heap';
    const block = this.#file.part(at, bytes, what, 'FHDB');
    this.#checkLead(block, from);
    if (this.#hasSums) {
      const content = this.#file.read(at, bytes, what);
      const sumAt = LEAD_BYTES + this.#placeBytes;
      const sum = new DataView(content.buffer, content.byteOffset).getUint32(sumAt, true);
      content.fill(0, sumAt, sumAt + SUM_BYTES);
      if (lookup3(content) !== sum) throw new Damaged(`the checksum of ${what} is wrong`);
    }
    this.#blocks.push({ from, at, bytes });
  }

  /** Blocks of blocks; those of the last rows are such themselves. */
  #addRows(at: number, rows: number, from: number): void {
    if (rows > MAX_ROWS) throw new Damaged('a heap has blocks of no size');
    const children = rows * this.#width;
    const bytes = LEAD_BYTES + this.#placeBytes + children * ADDRESS_BYTES + SUM_BYTES;
    const node = this.#file.summed({ at, bytes, what: 'a block of a heap', mark: 'FHIB' });
    this.#checkLead(node, from);
    let place = from;
    for (let no = 0; no < children; no += 1) {
      const row = Math.floor(no / this.#width);
      const size = this.#firstBytes * 2 ** Math.max(0, row - 1);
      const child = node.u64();
      if (!isNowhere(child)) {
        if (row < this.#directRows) this.#addBlock(child, size, place);
        else this.#addRows(child, Math.log2(size / (this.#firstBytes * this.#width)) + 1, place);
      }
      place += size;
    }
  }

  #checkLead(block: ReturnType<Hdf5File['part']>, from: number): void {
    const [version, heapAt] = [block.u8(), block.u64()];
    if (version !== 0 || heapAt !== this.#at || uint(block, this.#placeBytes) !== from) {
      throw new Damaged('a block of a heap is not the one that it should be');
    }
  }

  #addLarge(at: number): void {
    for (const record of recordsOf(this.#file, at, LARGE_TREES)) {
      const view = new DataView(record.buffer, record.byteOffset, record.length);
      const object = {
        at: Number(view.getBigUint64(0, true)),
        bytes: Number(view.getBigUint64(8, true)),
      };
      this.#file.extents.claim(object.at, object.bytes, 'an object of a heap');
      if (record.length >= 24) this.#large.set(Number(view.getBigUint64(16, true)), object);
    }
  }
}

const NOWHERE = 'a name leads to where nothing lies';
