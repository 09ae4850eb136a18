import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { isKind } from '../pickle/values.ts';
import { readTensors } from '../safetensors.ts';
import { namedIn } from '../torch/checkpoint.ts';
import { readTorch } from '../torch/torch.ts';
import { StrictUtf8 } from '../utf8.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { FileSet, SetFolder } from './file-set.ts';

/** A name and a place for each tensor of the largest models is some ten MB. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** `model-00001-of-00003.safetensors`: all of them are there, or the index is of another checkpoint. */
const NUMBERED = /-(\d{1,6})-of-(\d{1,6})\.[a-z]+$/i;

/** A checkpoint in parts, as Hugging Face’s libraries write it: `model.safetensors.index.json`, `pytorch_model.bin.index.json`. */
export const shardedCheckpoint: FileSet = {
  kind: 'sharded-checkpoint',
  leads: /\.(?:safetensors|bin)\.index\.json$/i,
  async read(leader, folder) {
    const { tensors, totalBytes } = await folder.open(leader, readIndex);
    const shards = byShard(tensors);
    checkNumbers([...shards.keys()]);
    const missing = [...shards.keys()].filter((name) => !folder.members.has(name));
    if (missing.length > 0) {
      const [first = ''] = missing;
      throw new Damaged(
        `${String(missing.length)} of its ${plural(shards.size, 'part')} ${missing.length === 1 ? 'is' : 'are'} not here: ${quoted(first)}${missing.length > 1 ? ' and others' : ''}`,
      );
    }
    const holds = `${plural(shards.size, 'part')}, ${plural(tensors.size, 'tensor')}`;
    await checkTensors(
      shards,
      totalBytes,
      folder,
      /\.bin\.index/i.test(leader) ? ofTorch : ofSafetensors,
    );
    return holds;
  },
};

interface Index {
  /** The part in which each lies. */
  readonly tensors: ReadonlyMap<string, string>;
  /** Null: it does not say. */
  readonly totalBytes: number | null;
}

function readIndex(source: ByteSource): Index {
  if (source.sizeBytes > MAX_INDEX_BYTES) throw new NotLoadable('its index is too long to be read');
  const index = parsed(new StrictUtf8('its index').decode(source.read(0, source.sizeBytes)));
  const map = isObject(index) ? index['weight_map'] : undefined;
  if (!isObject(map)) throw new Damaged('its index says of no tensor where it is');
  const tensors = new Map<string, string>();
  for (const [name, shard] of Object.entries(map)) {
    if (typeof shard !== 'string') {
      throw new Damaged(`its index does not say in which part the tensor ${quoted(name)} is`);
    }
    tensors.set(name, shard);
  }
  const metadata = isObject(index) ? index['metadata'] : undefined;
  const total = isObject(metadata) ? metadata['total_size'] : undefined;
  return { tensors, totalBytes: typeof total === 'number' ? total : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Damaged('its index is no valid JSON');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Shards = ReadonlyMap<string, ReadonlySet<string>>;

function byShard(tensors: ReadonlyMap<string, string>): Shards {
  const shards = new Map<string, Set<string>>();
  for (const [name, shard] of tensors) {
    const names = shards.get(shard) ?? new Set();
    shards.set(shard, names.add(name));
  }
  return shards;
}

/** Where the parts are numbered, their names say how many there are. */
function checkNumbers(names: readonly string[]): void {
  const numbers = names.map((name) => NUMBERED.exec(name)?.slice(1).map(Number));
  const counts = new Set(numbers.map((each) => each?.[1]));
  const [count] = counts;
  if (count === undefined || counts.size > 1) return;
  if (count !== names.length) {
    throw new Damaged(
      `its index names ${plural(names.length, 'part')}, and these are numbered up to ${String(count)}`,
    );
  }
}

/** What lies in a part. */
interface Lying {
  readonly names: ReadonlySet<string>;
  /** Of those, what is a tensor. */
  readonly tensors: readonly string[];
  /** How long they are together: where several share their bytes, libraries count them once or each time. */
  readonly leastBytes: number;
  readonly mostBytes: number;
}

function ofSafetensors(source: ByteSource): Lying {
  const { tensors } = readTensors(source);
  const names = tensors.map(({ name }) => name);
  const bytes = tensors.reduce((sum, { begin, end }) => sum + end - begin, 0);
  return { names: new Set(names), tensors: names, leastBytes: bytes, mostBytes: bytes };
}

function ofTorch(source: ByteSource): Lying {
  const checkpoint = readTorch(source);
  if (typeof checkpoint === 'string') throw new NotLoadable(checkpoint);
  const { root, refused } = checkpoint;
  if (refused !== null) throw new NotLoadable(refused);
  const named = namedIn(root);
  const tensors: string[] = [];
  const least = new Map<string, number>();
  let mostBytes = 0;
  for (const [name, value] of named) {
    if (!isKind(value, 'tensor')) continue;
    const bytes = value.elements * value.elementBytes;
    const { key } = value.storage;
    tensors.push(name);
    least.set(key, Math.min(bytes, least.get(key) ?? bytes));
    mostBytes += bytes;
  }
  const leastBytes = [...least.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { names: new Set(named.keys()), tensors, leastBytes, mostBytes };
}

/** Each tensor lies in the part that the index says, no part has others, and together they are as long as it says. */
async function checkTensors(
  shards: Shards,
  totalBytes: number | null,
  folder: SetFolder,
  read: (source: ByteSource) => Lying,
): Promise<void> {
  let [least, most] = [0, 0];
  for (const [shard, wanted] of shards) {
    const { names, tensors, leastBytes, mostBytes } = await folder.open(shard, (source) => {
      try {
        return read(source);
      } catch (cause) {
        const because = `in ${quoted(shard)}, ${(cause as Error).message}`;
        if (cause instanceof Damaged) throw new Damaged(because);
        if (cause instanceof NotLoadable) throw new NotLoadable(because);
        throw cause;
      }
    });
    for (const name of wanted) {
      if (names.has(name)) continue;
      throw new Damaged(`the tensor ${quoted(name)} is not in ${quoted(shard)}, as its index says`);
    }
    const extra = tensors.find((name) => !wanted.has(name));
    if (extra !== undefined) {
      throw new Damaged(`${quoted(shard)} has a tensor ${quoted(extra)} that its index has not`);
    }
    least += leastBytes;
    most += mostBytes;
  }
  if (totalBytes !== null && (totalBytes < least || totalBytes > most)) {
    throw new Damaged(
      `its index says ${String(totalBytes)} bytes, and its tensors take ${String(most)}`,
    );
  }
}
