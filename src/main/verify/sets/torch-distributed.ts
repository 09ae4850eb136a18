import { partOf, type ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { NumbersSum } from '../number-scan.ts';
import { isKind } from '../pickle/values.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import {
  readDistributedMetadata,
  type DistributedMetadata,
  type DescribedItem,
  type DescribedTensor,
} from '../torch/distributed-metadata.ts';
import { openTorch, readTorch } from '../torch/torch.ts';
import { isTiled } from './tiling.ts';
import type { FileSet, SetFolder } from './file-set.ts';

const PIECE_BYTES = 1024 * 1024;
const MODULE = 'torch.distributed.checkpoint';
const HEAD_BYTES = 256;

/** What `torch.distributed.checkpoint` writes: `.metadata`, and of each process `__0_0.distcp`, in which files of torch lie in a row. */
export const torchDistributed: FileSet = {
  kind: 'torch-distributed',
  leads: /^\.metadata$/,
  async read(leader, folder, tell) {
    const isOne = [...folder.members].some((member) => member.endsWith('.distcp'));
    if (!isOne && !(await folder.open(leader, isDescription))) return null;
    const { entries, items } = await folder.open(leader, readDistributedMetadata);
    checkEntries({ entries, items });
    const files = byFile(items);
    const missing = [...files.keys()].find((file) => !folder.members.has(file));
    if (missing !== undefined) {
      throw new Damaged(`of its ${plural(files.size, 'part')}, ${quoted(missing)} is not here`);
    }
    const numbers = new NumbersSum();
    let done = 0;
    for (const [file, lying] of files) {
      done = await readPart({ file, lying, folder, entries, numbers, done, tell });
    }
    const tensors = [...entries.values()].filter((entry) => entry !== null).length;
    const found = numbers.found().numbers;
    const bad =
      found === undefined || found.nonFinite === 0
        ? ''
        : `; ${String(found.nonFinite)} of ${String(found.scanned)} numbers are NaN or infinite`;
    return `${plural(files.size, 'part')}, ${plural(tensors, 'tensor')}, ${plural(entries.size - tensors, 'other value')}${bad}`;
  },
};

const isDescription = (source: ByteSource): boolean =>
  Buffer.from(source.read(0, Math.min(HEAD_BYTES, source.sizeBytes))).includes(MODULE);

/** Each tensor is made up of its pieces, each piece and each other value lies somewhere once, and nothing else does. */
function checkEntries({ entries, items }: DistributedMetadata): void {
  const wanted = new Set<string>();
  for (const [name, tensor] of entries) {
    if (tensor === null) wanted.add(placeOf(name, null));
    else {
      if (!isTiled(tensor.shape, tensor.chunks)) {
        throw new Damaged(
          `the pieces of the tensor ${quoted(name)} do not make up the whole of it`,
        );
      }
      for (const { offsets } of tensor.chunks) wanted.add(placeOf(name, offsets));
    }
  }
  for (const { name, offsets } of items) {
    if (wanted.delete(placeOf(name, offsets))) continue;
    throw new Damaged(`of ${quoted(name)} a part lies there that is none, or twice`);
  }
  for (const place of wanted) {
    const [name] = JSON.parse(place) as [string];
    throw new Damaged(`of ${quoted(name)} nothing says where it lies`);
  }
}

const placeOf = (name: string, offsets: readonly number[] | null): string =>
  JSON.stringify([name, offsets]);

function byFile(items: readonly DescribedItem[]): ReadonlyMap<string, readonly DescribedItem[]> {
  const files = new Map<string, DescribedItem[]>();
  for (const item of items) {
    const known = files.get(item.file);
    if (known === undefined) files.set(item.file, [item]);
    else known.push(item);
  }
  return files;
}

interface Part {
  readonly file: string;
  readonly lying: readonly DescribedItem[];
  readonly folder: SetFolder;
  readonly entries: DistributedMetadata['entries'];
  readonly numbers: NumbersSum;
  readonly done: number;
  readonly tell: (doneBytes: number) => void;
}

/** Each of its items is a file of torch, inside of it and over no other. Returns how many bytes were read so far. */
function readPart({ file, lying, folder, entries, numbers, done, tell }: Part): Promise<number> {
  const inOrder = [...lying].sort((a, b) => a.at - b.at);
  return folder.open(file, async (source) => {
    if (isSafetensors(source)) throw new NotLoadable(`${quoted(file)} is ${NO_PLACES}`);
    let [end, read] = [0, done];
    for (const item of inOrder) {
      if (item.at < end)
        throw new Damaged(`in ${quoted(file)}, ${quoted(item.name)} overlaps another`);
      end = item.at + item.bytes;
      if (end > source.sizeBytes) {
        throw new Damaged(`${quoted(file)} is cut off: ${quoted(item.name)} ends behind its end`);
      }
      await readItem(
        partOf(source, item.at, item.bytes),
        item,
        entries.get(item.name) ?? null,
        numbers,
      );
      tell((read += item.bytes));
    }
    return read;
  });
}

/** torch can be asked to write its parts so (2.15), and tells places of their tensors at which nothing begins. */
const NO_PLACES = 'of the format safetensors, in which nothing lies where its description says';

/** Its header stands behind how long that is. */
const isSafetensors = (source: ByteSource): boolean =>
  source.sizeBytes >= 10 && Buffer.from(source.read(8, 2)).toString('latin1') === '{"';

async function readItem(
  source: ByteSource,
  { name, file, offsets }: DescribedItem,
  tensor: DescribedTensor | null,
  numbers: NumbersSum,
): Promise<void> {
  try {
    const reading = openTorch(source);
    for (let at = 0; at < source.sizeBytes; at += PIECE_BYTES) {
      const piece = source.read(at, Math.min(PIECE_BYTES, source.sizeBytes - at));
      await reading.take(piece, at);
    }
    const loaded = await reading.end();
    if (loaded.kind === 'loaded') numbers.add(loaded.numbers ?? null);
    if (tensor !== null) checkPiece(source, tensor, offsets);
  } catch (cause) {
    const because = `${quoted(name)} in ${quoted(file)}: ${(cause as Error).message}`;
    if (cause instanceof Damaged) throw new Damaged(because);
    if (cause instanceof NotLoadable) throw new NotLoadable(because);
    throw cause;
  }
}

/** It has as many numbers as its piece, and of the same type. */
function checkPiece(
  source: ByteSource,
  { chunks, elementBytes }: DescribedTensor,
  offsets: readonly number[] | null,
): void {
  const found = readTorch(source);
  const root = typeof found === 'string' ? null : found.root;
  const chunk = chunks.find((each) => each.offsets.join() === offsets?.join());
  // A tensor of a kind of its own is described otherwise.
  if (chunk === undefined || isKind(root, 'made')) return;
  const elements = chunk.sizes.reduce((product, size) => product * size, 1);
  const isSame =
    isKind(root, 'tensor') &&
    root.elements === elements &&
    (elementBytes === null || root.elementBytes === elementBytes);
  if (!isSame) throw new Damaged('it is another tensor than is described');
}
