import { Damaged } from '../damage.ts';
import type { Element } from './types.ts';
import { isNowhere, type Hdf5File } from './parts.ts';

/** What is of any length lies elsewhere; in its place stand how many it is of, where, and its number there. */
const LEADS_BYTES = 16;
const HEAD_BYTES = 16;
const OBJECT_HEAD_BYTES = 16;
/** Looked at is what is led to first. */
const [MAX_LEADS, MAX_COLLECTIONS] = [200_000, 20_000];
/** Of what is held of all collections together: eight million texts, each a length. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

interface Leads {
  readonly at: number;
  readonly count: number;
  /** Of one of what they are lists of. */
  readonly itemBytes: number;
  readonly of: string;
}

/** As they lie in the file. */
interface Values {
  readonly at: number;
  readonly bytes: number;
  readonly element: Element;
  readonly of: string;
}

/** How long each of its objects is, by its number; below zero: none has that number. */
type Collection = Float64Array;

/** Texts and lists of any length, which lie in collections: each is there, and as long as it is said to be. */
export class Lists {
  readonly #file: Hdf5File;
  readonly #leads: Leads[] = [];
  /** By their place. */
  readonly #collections = new Map<number, Collection>();

  #heldBytes = 0;

  constructor(file: Hdf5File) {
    this.#file = file;
  }

  /** What is no list of any length is passed over. */
  take({ at, bytes, element, of }: Values): void {
    const { itemBytes } = element;
    if (itemBytes === undefined || bytes === 0) return;
    if (element.bytes !== LEADS_BYTES) throw new Damaged(`${of} has lists that lead nowhere`);
    this.#leads.push({ at, count: bytes / LEADS_BYTES, itemBytes, of });
  }

  /** False: there are more than are looked at. */
  check(): boolean {
    let left = MAX_LEADS;
    for (const { at, count, itemBytes, of } of this.#leads) {
      const cursor = this.#file.cursor(at, count * LEADS_BYTES, of);
      for (let no = 0; no < count; no += 1) {
        left -= 1;
        if (left < 0) return false;
        const [items, place, number] = [cursor.u32(), cursor.u64(), cursor.u32()];
        // Nothing was written there, or it is empty.
        if (items === 0 || place === 0 || isNowhere(place)) continue;
        const collection = this.#collectionAt(place);
        if (collection === null) return false;
        if ((collection[number] ?? -1) < items * itemBytes) {
          throw new Damaged(`${of} leads to where nothing of its length lies`);
        }
      }
    }
    return true;
  }

  /** Null: there are too many. */
  #collectionAt(at: number): Collection | null {
    const known = this.#collections.get(at);
    if (known !== undefined) return known;
    if (this.#collections.size >= MAX_COLLECTIONS) return null;
    const read = readCollection(this.#file, at);
    this.#heldBytes += read.byteLength;
    if (this.#heldBytes > MAX_HELD_BYTES) return null;
    this.#collections.set(at, read);
    return read;
  }
}

const OF = 'a collection of values';

function readCollection(file: Hdf5File, at: number): Collection {
  const head = file.cursor(at, HEAD_BYTES, OF);
  head.skip(8);
  const cursor = file.part(at, head.u64(), OF, 'GCOL');
  if (cursor.u8() !== 1) throw new Damaged(`${OF} is of no known version`);
  cursor.skip(3 + 8);
  const objects = new Map<number, number>();
  while (cursor.left >= OBJECT_HEAD_BYTES) {
    const number = cursor.u16();
    cursor.skip(2 + 4);
    const bytes = cursor.u64();
    // What is free has no number, and counts its own head.
    if (number === 0 && bytes < OBJECT_HEAD_BYTES)
      throw new Damaged(`${OF} has free room of no size`);
    cursor.skip(number === 0 ? bytes - OBJECT_HEAD_BYTES : Math.ceil(bytes / 8) * 8);
    if (objects.has(number)) throw new Damaged(`${OF} has two of one number`);
    objects.set(number, bytes);
  }
  objects.delete(0);
  let last = 0;
  for (const number of objects.keys()) last = Math.max(last, number);
  const lengths = new Float64Array(last + 1).fill(-1);
  for (const [number, bytes] of objects) lengths[number] = bytes;
  return lengths;
}
