import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import type { ByteSource } from '../byte-source.ts';
import type { NumberSpan, NumberType } from '../number-scan.ts';
import { plural } from '../plural.ts';
import { leavesOf, spansOf } from '../pickle/leaves.ts';
import { walkPickle } from '../pickle/opcodes.ts';
import { Refusals } from '../pickle/refusals.ts';
import { isGroup, type Value } from '../pickle/values.ts';
import { Storages } from './storages.ts';
import { TORCH_VOCABULARY } from './vocabulary.ts';

/** What the pickle of a checkpoint tells of it. */
export interface Checkpoint {
  readonly holds: string;
  readonly storages: Storages;
  readonly root: Value;
  /** Null: nothing in it would be run. */
  readonly refused: string | null;
  /** Numbers that stand in the pickle itself. */
  readonly spans: readonly NumberSpan[];
  /** What the numbers of a storage are called, after the first tensor in it. */
  readonly nameOf: (key: string) => string;
}

/** The pickle of an archive, which is all there is in its file. */
export function readCheckpoint(source: ByteSource): Checkpoint {
  const [storages, refusals] = [new Storages(), new Refusals()];
  const cursor = new Cursor(source, 'its description');
  const surroundings = { vocabulary: TORCH_VOCABULARY, refusals, persistent: storages.find };
  const root = walkPickle(cursor, surroundings);
  if (cursor.left > 0) throw new Damaged('its description is followed by something else');
  return checkpointOf(root, storages, refusals);
}

export function checkpointOf(root: Value, storages: Storages, refusals: Refusals): Checkpoint {
  const leaves = [...leavesOf(root)];
  const names = new Map<string, string>();
  let [tensors, elements] = [0, 0];
  for (const { name, thing } of leaves) {
    if (thing.kind !== 'tensor') continue;
    tensors += 1;
    elements += thing.elements;
    if (!names.has(thing.storage.key)) names.set(thing.storage.key, name);
  }
  return {
    holds: `${plural(tensors, 'tensor')}, ${plural(elements, 'number')}`,
    storages,
    root,
    refused: refusals.because,
    spans: spansOf(leaves),
    nameOf: (key) => names.get(key) ?? `storage ${key}`,
  };
}

/** What lies in it by name, where it is a dict as a model’s state is. A thing may have several names. */
export function namedIn(root: Value): ReadonlyMap<string, Value> {
  const named = new Map<string, Value>();
  const items = isGroup(root) && root.kind === 'dict' ? root.items : [];
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [name, value = null] = [items[at], items[at + 1]];
    // State that is set on the dict itself has no name.
    if (typeof name === 'string' && name !== '') named.set(name, value);
  }
  return named;
}

/** @param at Where the numbers begin. */
export function storageSpan(
  tensor: string,
  type: NumberType | null,
  at: number,
  bytes: number,
): NumberSpan[] {
  return type === null || bytes === 0 ? [] : [{ tensor, at, bytes, type }];
}
