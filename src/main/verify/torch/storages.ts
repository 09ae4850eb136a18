import { Damaged } from '../damage.ts';
import { isGroup, isKind, type Storage, type Value } from '../pickle/values.ts';
import { quoted } from '../quoted.ts';

/** The storages that one file tells of, each by its key. */
export class Storages {
  readonly byKey = new Map<string, Storage>();

  /** As torch names a storage: ('storage', its type, its key, the device, how many elements). */
  find = (id: Value): Value => {
    const [word, what, key, , elements] = isGroup(id) ? id.items : [];
    // Old files have the source of each class beside it, which nobody reads.
    if (word === 'module' && isKind(what, 'global')) return what;
    if (word !== 'storage' || !isKind(what, 'global') || typeof key !== 'string') throw WRONG();
    if (typeof elements !== 'number' || elements < 0) throw WRONG();
    const type = what.rule?.type;
    // Its name is refused already.
    if (type === undefined) return { kind: 'made', parts: [] };
    const known = this.byKey.get(key);
    if (known !== undefined) {
      if (bytesOf(known) === elements * type.bytes) return known;
      throw new Damaged(`the storage ${quoted(key)} is described in two ways`);
    }
    const { bytes: elementBytes, scan, perByte = 1 } = type;
    const storage: Storage = { kind: 'storage', key, elements, elementBytes, perByte, scan };
    this.byKey.set(key, storage);
    return storage;
  };
}

const WRONG = (): Damaged => new Damaged('it names something outside of it that is no storage');

export const bytesOf = ({ elements, elementBytes }: Storage): number => elements * elementBytes;
