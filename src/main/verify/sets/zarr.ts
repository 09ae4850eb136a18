import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { MAX_JSON_BYTES, parseJson } from '../json-text.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import { StrictUtf8 } from '../utf8.ts';
import {
  isObject,
  readVersion2,
  readVersion3,
  type Json,
  type ZarrArray,
} from '../zarr/array-metadata.ts';
import { checkChunk } from '../zarr/chunks.ts';
import { OCDBT_MANIFEST, openOcdbt } from '../zarr/ocdbt.ts';
import type { FileSet, SetFolder } from './file-set.ts';

const ARRAY = /(?:^|\/)(?:\.zarray|zarr\.json)$/;
const OF_ORBAX = '_METADATA';

/** Arrays in chunks, each a file: as zarr writes them, and TensorStore for Orbax, alone or within a database (OCDBT). */
export const zarr: FileSet = {
  kind: 'zarr',
  leads: /^(?:\.zgroup|\.zarray|zarr\.json|_METADATA|manifest\.ocdbt)$/,
  isOutermost: true,
  async read(leader, folder, tell) {
    const stores = [folder];
    if (folder.members.has(OCDBT_MANIFEST)) stores.push(await openOcdbt(folder));
    const sum = new Sum(tell);
    for (const store of stores) await proveArrays(store, sum);
    if (leader === OF_ORBAX && !(await checkTree(folder, sum.names))) return null;
    return sum.holds;
  },
};

class Sum {
  readonly names = new Set<string>();
  chunks = 0;
  places = 0;
  notUnpacked = 0;
  #done = 0;
  readonly #tell: (doneBytes: number) => void;

  constructor(tell: (doneBytes: number) => void) {
    this.#tell = tell;
  }

  add(bytes: number): void {
    this.chunks += 1;
    this.#tell((this.#done += bytes));
  }

  /** A chunk that was never written is one that is not there: nothing tells the two apart. */
  get holds(): string {
    const rest = [
      ...(this.places > this.chunks
        ? [`${String(this.places - this.chunks)} more are not here, as if never written`]
        : []),
      ...(this.notUnpacked > 0 ? [`${String(this.notUnpacked)} of them not unpacked`] : []),
    ];
    return [`${plural(this.names.size, 'array')}, ${plural(this.chunks, 'chunk')}`, ...rest].join(
      '; ',
    );
  }
}

async function proveArrays(folder: SetFolder, sum: Sum): Promise<void> {
  const arrays = new Map<string, ZarrArray>();
  for (const member of folder.members) {
    if (!ARRAY.test(member)) continue;
    const path = member.replace(ARRAY, '');
    const array = await folder.open(member, (source) => readArray(source, member));
    if (array === null) continue;
    if (array.shape.length !== array.chunk.length) {
      throw new Damaged(`the chunks of ${quoted(path)} are of another shape`);
    }
    arrays.set(path, array);
    sum.names.add(path);
    sum.places += gridOf(array).reduce((product, count) => product * count, 1);
    if (!Number.isSafeInteger(sum.places))
      throw new Damaged(`${quoted(path)} has a shape beyond all sizes`);
  }
  for (const member of folder.members) {
    const owner = ownerOf(member, arrays);
    if (owner === null || !isChunk(owner, member)) continue;
    await inside(`the chunk ${quoted(member)}`, async () => {
      await folder.open(member, (source) => {
        if (checkChunk(source, owner.array) === 'not unpacked') sum.notUnpacked += 1;
        sum.add(source.sizeBytes);
      });
    });
  }
}

function readArray(source: ByteSource, member: string): ZarrArray | null {
  const told = parse(source, member);
  return member.endsWith('.zarray') ? readVersion2(told) : readVersion3(told);
}

function parse(source: ByteSource, member: string): Json {
  if (source.sizeBytes > MAX_JSON_BYTES) throw new NotLoadable(`${quoted(member)} is too long`);
  const text = new StrictUtf8(quoted(member)).decode(source.read(0, source.sizeBytes));
  const told = parseJson(text, ` in ${quoted(member)}`);
  if (!isObject(told)) throw new Damaged(`${quoted(member)} describes nothing`);
  return told;
}

interface Owner {
  readonly path: string;
  readonly array: ZarrArray;
}

/** The array in whose folder it lies. */
function ownerOf(member: string, arrays: ReadonlyMap<string, ZarrArray>): Owner | null {
  for (let path = member; path !== '';) {
    const end = path.lastIndexOf('/');
    path = end < 0 ? '' : path.slice(0, end);
    const array = arrays.get(path);
    if (array !== undefined) return { path, array };
  }
  return null;
}

const gridOf = ({ shape, chunk }: ZarrArray): readonly number[] =>
  shape.map((size, no) => Math.ceil(size / (chunk[no] ?? 1)));

/** What is called like a chunk and has no place in its array is none of it. */
function isChunk({ path, array }: Owner, member: string): boolean {
  const name = path === '' ? member : member.slice(path.length + 1);
  const { lead, separator, shape } = array;
  const rank = shape.length;
  if (rank === 0) return name === (lead === '' ? '0' : lead.slice(0, -1));
  if (!name.startsWith(lead)) return false;
  const places = name.slice(lead.length).split(separator);
  if (!places.every((place) => /^\d{1,15}$/.test(place))) return false;
  const grid = gridOf(array);
  const isWithin = places.every((place, no) => Number(place) < (grid[no] ?? 0));
  if (places.length !== rank || !isWithin) {
    throw new Damaged(`the chunk ${quoted(member)} has no place in its array`);
  }
  return true;
}

async function inside(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const because = `${what}: ${(cause as Error).message}`;
    if (cause instanceof Damaged) throw new Damaged(because);
    if (cause instanceof NotLoadable) throw new NotLoadable(because);
    throw cause;
  }
}

/** What Orbax lays down as an array. */
const IN_ARRAYS = ['jax.Array', 'np.ndarray', 'scalar'];

/** Only what is a text or a number: of anything else, a text could be made by nobody, or by nobody in time. */
function keyOf(told: unknown): string {
  const key = isObject(told) ? told['key'] : undefined;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '';
}

/** Each leaf of the tree that was saved is there as an array. False: something else has such a file. */
async function checkTree(folder: SetFolder, names: ReadonlySet<string>): Promise<boolean> {
  const told = await folder.open(OF_ORBAX, (source) => parse(source, OF_ORBAX));
  const tree = told['tree_metadata'];
  if (!isObject(tree)) return false;
  for (const leaf of Object.values(tree)) {
    const [keys, value] = isObject(leaf) ? [leaf['key_metadata'], leaf['value_metadata']] : [];
    if (!Array.isArray(keys) || !isObject(value) || value['skip_deserialize'] === true) continue;
    if (!IN_ARRAYS.some((each) => each === value['value_type'])) continue;
    const name = keys.map(keyOf).join('.');
    if (!names.has(name)) throw new Damaged(`the array ${quoted(name)} is not here`);
  }
  return true;
}
