import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { NumberScan, type NumberSpan } from '../number-scan.ts';
import { walkPickle } from '../pickle/opcodes.ts';
import { openPickles } from '../pickle/pickle.ts';
import { Refusals } from '../pickle/refusals.ts';
import { isGroup, type Value } from '../pickle/values.ts';
import { quoted } from '../quoted.ts';
import type { Reading } from '../reading.ts';
import { checkpointOf, storageSpan, type Checkpoint } from './checkpoint.ts';
import { bytesOf, Storages } from './storages.ts';
import { TORCH_VOCABULARY } from './vocabulary.ts';

const MAGIC = 0x1950a86a20f9469cfc6cn;
const PROTOCOL = 1001;
/** Before the numbers of a storage it says how many they are. */
const COUNT_BYTES = 8;

/** What torch saved before version 1.6, and still does when it is asked to: five pickles in a row, and the storages behind them. */
export function openTorchLegacy(source: ByteSource): Reading {
  const found = readTorchLegacy(source);
  // Something else was pickled under such a name.
  if (found === null) return openPickles(source, 'torch');
  const { checkpoint, spans } = found;
  const numbers = new NumberScan([...checkpoint.spans, ...spans]);
  return {
    take: (piece, at) => numbers.take(piece, at),
    end: () => {
      const { holds, refused } = checkpoint;
      if (refused !== null) throw new NotLoadable(refused);
      const looked = numbers.found();
      const told = looked === null ? {} : { numbers: looked };
      return { kind: 'loaded', format: 'torch', holds, ...told };
    },
  };
}

interface Legacy {
  readonly checkpoint: Checkpoint;
  /** Of the numbers behind it, where they are of this machine's order. */
  readonly spans: readonly NumberSpan[];
}

/** Null: something else was pickled under such a name. */
export function readTorchLegacy(source: ByteSource): Legacy | null {
  const cursor = new Cursor(source, 'it');
  const [storages, refusals] = [new Storages(), new Refusals()];
  const surroundings = { vocabulary: TORCH_VOCABULARY, refusals, persistent: storages.find };
  const next = (): Value => walkPickle(cursor, surroundings);
  if (next() !== MAGIC) return null;
  if (next() !== PROTOCOL) throw new Damaged('its version is not known');
  const isLittle = isLittleEndian(next());
  const checkpoint = checkpointOf(next(), storages, refusals);
  const spans = readStorages(cursor, next(), checkpoint);
  return { checkpoint, spans: isLittle ? spans : [] };
}

function isLittleEndian(about: Value): boolean {
  if (!isGroup(about) || about.kind !== 'dict') {
    throw new Damaged('it does not tell of the machine that wrote it');
  }
  return about.items[about.items.indexOf('little_endian') + 1] !== false;
}

/** Each storage in the order that is told, as long as it is described, and nothing behind the last one. */
function readStorages(
  cursor: Cursor,
  keys: Value,
  { storages, nameOf }: Checkpoint,
): readonly NumberSpan[] {
  const told = isGroup(keys) ? keys.items : [];
  if (told.length !== storages.byKey.size || new Set(told).size !== told.length) {
    throw new Damaged('its storages are others than those that are described');
  }
  const spans = told.flatMap((key) => {
    const storage = storages.byKey.get(typeof key === 'string' ? key : '');
    if (storage === undefined) {
      throw new Damaged('its storages are others than those that are described');
    }
    if (cursor.left < COUNT_BYTES || cursor.u64() !== storage.elements) {
      throw new Damaged(`the storage ${quoted(storage.key)} is not as long as it is described`);
    }
    const at = cursor.at;
    cursor.skip(bytesOf(storage));
    return storageSpan(nameOf(storage.key), storage.scan, at, bytesOf(storage));
  });
  if (cursor.left > 0) throw new Damaged('bytes at its end belong to no storage');
  return spans;
}
