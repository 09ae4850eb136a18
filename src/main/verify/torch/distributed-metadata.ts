import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { walkPickle } from '../pickle/opcodes.ts';
import { Refusals } from '../pickle/refusals.ts';
import { isGroup, isKind, keyOf, sizesOf, type Rule, type Value } from '../pickle/values.ts';
import { quoted } from '../quoted.ts';
import { TORCH_VOCABULARY } from './vocabulary.ts';

/** A piece of a tensor: a box of its numbers. */
export interface DescribedChunk {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
}

export interface DescribedTensor {
  readonly shape: readonly number[];
  /** Null: of a type that has no known size. */
  readonly elementBytes: number | null;
  readonly chunks: readonly DescribedChunk[];
}

/** Where a piece of a tensor, or a value of another kind, lies in which file. */
export interface DescribedItem {
  readonly name: string;
  /** Null: it is no piece of a tensor. */
  readonly offsets: readonly number[] | null;
  readonly file: string;
  readonly at: number;
  readonly bytes: number;
}

export interface DistributedMetadata {
  /** Null: a value of another kind. */
  readonly entries: ReadonlyMap<string, DescribedTensor | null>;
  readonly items: readonly DescribedItem[];
}

/** What is kept of each of its classes is the state that they are given. */
const kept: Rule = { call: () => ({ kind: 'made', parts: [] }) };
const plain: Rule = { call: (args) => ({ kind: 'made', parts: [...args] }) };
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  'torch.distributed.checkpoint.metadata': [
    ...['Metadata', 'MetadataIndex', 'StorageMeta', 'TensorStorageMetadata'],
    ...['BytesStorageMetadata', 'ChunkStorageMetadata', 'TensorProperties'],
  ],
  'torch.distributed.checkpoint.filesystem': ['_StorageInfo'],
  'torch.distributed._shard.sharded_tensor.metadata': ['TensorProperties'],
};
const VOCABULARY = new Map([
  ...TORCH_VOCABULARY,
  ...Object.entries(CLASSES).flatMap(([module, names]) =>
    names.map((name): [string, Rule] => [keyOf(module, name), kept]),
  ),
  [keyOf('torch.distributed.checkpoint.metadata', '_MEM_FORMAT_ENCODING'), plain] as const,
  // Before torch 2.3.
  [
    keyOf('torch.distributed._shard.sharded_tensor.metadata', 'MEM_FORMAT_ENCODING'),
    plain,
  ] as const,
]);

/** The pickle `.metadata`, walked and never run. */
export function readDistributedMetadata(source: ByteSource): DistributedMetadata {
  const refusals = new Refusals();
  const cursor = new Cursor(source, 'its description');
  const root = walkPickle(cursor, { vocabulary: VOCABULARY, refusals });
  if (cursor.left > 0) throw new Damaged('its description is followed by something else');
  if (refusals.because !== null) throw new NotLoadable(refusals.because);
  const state = stateOf(root);
  const entries = new Map<string, DescribedTensor | null>();
  for (const [name, value] of pairsOf(state.get('state_dict_metadata'))) {
    if (typeof name !== 'string') throw new Damaged('a name in its description is none');
    entries.set(name, tensorTold(name, value));
  }
  const items = pairsOf(state.get('storage_data')).map(([index, info]) => itemTold(index, info));
  return { entries, items };
}

function tensorTold(name: string, value: Value): DescribedTensor | null {
  const state = stateOf(value);
  if (!state.has('chunks')) return null;
  const shape = sizesOf(state.get('size'));
  const chunks = state.get('chunks');
  if (shape === null || !isGroup(chunks)) throw wrong(name);
  return {
    shape,
    elementBytes: elementBytesOf(state.get('properties')),
    chunks: chunks.items.map((each) => {
      const chunk = stateOf(each);
      const [offsets, sizes] = [sizesOf(chunk.get('offsets')), sizesOf(chunk.get('sizes'))];
      if (offsets?.length !== shape.length || sizes?.length !== shape.length) throw wrong(name);
      return { offsets, sizes };
    }),
  };
}

/** Its properties are a tuple that begins with the type. */
function elementBytesOf(properties: Value | undefined): number | null {
  const [state] = isKind(properties, 'made') ? properties.parts.slice(-1) : [];
  const [type] = isGroup(state) ? state.items : [];
  return isKind(type, 'global') ? (type.rule?.type?.bytes ?? null) : null;
}

function itemTold(index: Value, info: Value): DescribedItem {
  const [told, place] = [stateOf(index), stateOf(info)];
  const [name, offset] = [told.get('fqn'), told.get('offset') ?? null];
  const [file, at, bytes] = [place.get('relative_path'), place.get('offset'), place.get('length')];
  if (typeof name !== 'string') throw new Damaged('a name in its description is none');
  const offsets = offset === null ? null : sizesOf(offset);
  const isPlace = typeof file === 'string' && isSize(at) && isSize(bytes);
  if (!isPlace || (offset !== null && offsets === null)) throw wrong(name);
  if ((place.get('transform_descriptors') ?? null) !== null) {
    throw new NotLoadable('its parts are packed in a way that Leasehold does not unpack');
  }
  return { name, offsets, file, at, bytes };
}

const isSize = (value: Value | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const wrong = (name: string): Damaged =>
  new Damaged(`its description does not say where ${quoted(name)} lies`);

/** What an object is given by its pickle. */
function stateOf(value: Value): ReadonlyMap<string, Value> {
  const [state] = isKind(value, 'made') ? value.parts.slice(-1) : [];
  const named = pairsOf(state).flatMap(([name, each]): [string, Value][] =>
    typeof name === 'string' ? [[name, each]] : [],
  );
  return new Map(named);
}

function pairsOf(dict: Value | undefined): readonly (readonly [Value, Value])[] {
  const items = isGroup(dict) && dict.kind === 'dict' ? dict.items : [];
  return Array.from({ length: items.length / 2 }, (_, no) => [
    items[2 * no] ?? null,
    items[2 * no + 1] ?? null,
  ]);
}
