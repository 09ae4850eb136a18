import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { readTensors } from '../safetensors.ts';
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
    return /\.bin\.index/i.test(leader)
      ? `${holds}; ${await checkSizes(shards, totalBytes, folder)}`
      : await checkTensors(shards, totalBytes, folder).then(() => holds);
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

/** Each tensor lies in the part that the index says, no part has others, and together they are as long as it says. */
async function checkTensors(
  shards: Shards,
  totalBytes: number | null,
  folder: SetFolder,
): Promise<void> {
  let bytes = 0;
  for (const [shard, wanted] of shards) {
    const lying = await folder.open(shard, (source) => {
      try {
        return readTensors(source).tensors;
      } catch (cause) {
        if (cause instanceof Damaged) throw new Damaged(`in ${quoted(shard)}, ${cause.message}`);
        throw cause;
      }
    });
    const names = new Set(lying.map(({ name }) => name));
    for (const name of wanted) {
      if (names.has(name)) continue;
      throw new Damaged(`the tensor ${quoted(name)} is not in ${quoted(shard)}, as its index says`);
    }
    for (const { name, begin, end } of lying) {
      if (!wanted.has(name)) {
        throw new Damaged(`${quoted(shard)} has a tensor ${quoted(name)} that its index has not`);
      }
      bytes += end - begin;
    }
  }
  if (totalBytes !== null && totalBytes !== bytes) {
    throw new Damaged(
      `its index says ${String(totalBytes)} bytes, and its tensors take ${String(bytes)}`,
    );
  }
}

/** What a part of PyTorch’s holds is not compared with the index; it is longer than its tensors in any case. */
async function checkSizes(
  shards: Shards,
  totalBytes: number | null,
  folder: SetFolder,
): Promise<string> {
  let bytes = 0;
  for (const shard of shards.keys()) {
    bytes += await folder.open(shard, ({ sizeBytes }) => sizeBytes);
  }
  if (totalBytes !== null && totalBytes > bytes) {
    throw new Damaged(
      `its index says ${String(totalBytes)} bytes, and its parts have ${String(bytes)}`,
    );
  }
  return 'which tensors lie in which part was not compared';
}
