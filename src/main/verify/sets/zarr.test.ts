import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { cutsOf, flipsOf } from '../load.fixture.ts';
import { proveFolder, readSet, setSpecimen } from './sets.fixture.ts';
import { setsAmong } from './sets.ts';
import { zarr } from './zarr.ts';

const DATABASE = 'orbax-0.12.8--database';
const FOLDERS = 'orbax-0.12.8--folders';
const [SECOND, THIRD] = ['zarr-3.1.6--version-2', 'zarr-3.1.6--version-3'];

type Files = ReadonlyMap<string, Uint8Array>;

function filesOf(name: string): Files {
  const root = setSpecimen(name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(root, path).split('\\').join('/'), readFileSync(path)]),
  );
}

const leaderOf = (files: Files): string =>
  ['_METADATA', '.zgroup', 'zarr.json'].find((each) => files.has(each)) ?? '';
const read = (files: Files): Promise<string> => readSet(zarr, leaderOf(files), files);

it.each([
  [DATABASE, '_METADATA', '3 arrays, 3 chunks'],
  [FOLDERS, '_METADATA', '3 arrays, 3 chunks'],
  [SECOND, '.zgroup', '5 arrays, 26 chunks; 3 more are not here, as if never written'],
  [THIRD, 'zarr.json', '4 arrays, 18 chunks; 3 more are not here, as if never written'],
])('%s, as its library wrote it, is one set, and whole', async (name, path, says) => {
  expect(await proveFolder(setSpecimen(name))).toEqual([
    { kind: 'zarr', path, state: 'whole', says },
  ]);
});

it('of sets that lie within each other the outermost is one', () => {
  const paths = ['a/.zgroup', 'a/b/.zarray', 'c/_METADATA', 'c/manifest.ocdbt', 'c/d/e/zarr.json'];
  expect([...setsAmong([...paths, 'd.zarr/.zarray'])].map(({ path }) => path)).toEqual([
    'a/.zgroup',
    'c/_METADATA',
    'd.zarr/.zarray',
  ]);
});

/** What a loader asks for: not what was left of how it came about. */
const needed = (files: Files): readonly string[] =>
  [...files.keys()].filter(
    (name) =>
      !/(?:^|\/)(?:_sharding|_CHECKPOINT_METADATA|process_0|\.zattrs|\.zmetadata)$/.test(name) &&
      !/^ocdbt\.process_0\/manifest/.test(name),
  );

it.each([DATABASE, FOLDERS])('%s is found out with any file missing', async (name) => {
  const files = filesOf(name);
  const lead = leaderOf(files);
  const found: string[] = [];
  for (const missing of needed(files)) {
    const rest = new Map([...files].filter(([each]) => each !== missing));
    // What is not referred to any more, and chunks, which nothing counts.
    const isFree = missing.startsWith('ocdbt.process_0/d/') || /\/[\d.]+$/.test(missing);
    if (missing === lead || isFree) continue;
    if (!(await read(rest)).startsWith('damaged: ')) found.push(missing);
  }
  expect(found).toEqual([]);
});

it('a chunk that is not there is told, since nothing says whether it was ever written', async () => {
  const rest = new Map([...filesOf(THIRD)].filter(([name]) => name !== 'model/plain/c/0/0'));
  expect(await read(rest)).toMatch(/17 chunks; 4 more are not here/);
});

it.each([DATABASE, FOLDERS, SECOND, THIRD])(
  '%s is found out with a chunk cut off',
  async (name) => {
    const files = filesOf(name);
    const passed: string[] = [];
    for (const [member, bytes] of files) {
      if (!/(?:^|\/)(?:c\/)?\d+(?:[./]\d+)*$|\/d\/\w{32}$/.test(member) || bytes.length === 0)
        continue;
      for (const cut of [0, 1, bytes.length >> 1, bytes.length - 1]) {
        const broken = new Map(files).set(member, bytes.subarray(0, cut));
        if (!(await read(broken)).startsWith('damaged: '))
          passed.push(`${member} at ${String(cut)}`);
      }
    }
    // Of the database, what its manifest does not lead to.
    expect(passed.filter((each) => !each.startsWith('ocdbt.process_0/d/'))).toEqual([]);
  },
);

it('a database is found out with any bit of its manifest or its root flipped, and wherever they are cut off', async () => {
  const files = filesOf(DATABASE);
  const root = [...files.keys()].find((name) => name.startsWith('d/')) ?? '';
  for (const member of ['manifest.ocdbt', root]) {
    const bytes = files.get(member) ?? new Uint8Array(0);
    for (const broken of [...flipsOf(bytes, 0, bytes.length), ...cutsOf(bytes)]) {
      // What follows the part that is referred to says nothing.
      if (member === root && broken.length > bytes.length) continue;
      expect(await read(new Map(files).set(member, broken))).toMatch(/^(?:damaged|not loadable): /);
    }
  }
});

it('a shard is found out with any bit of its index flipped, and a packed chunk with its checksum too', async () => {
  const files = filesOf(THIRD);
  for (const member of ['shards/c/0/0', 'model/zstd/c/0/0']) {
    const bytes = files.get(member) ?? new Uint8Array(0);
    expect(bytes.length).toBeGreaterThan(20);
    for (const broken of flipsOf(bytes, bytes.length - 20, bytes.length)) {
      expect(await read(new Map(files).set(member, broken))).toMatch(/^damaged: /);
    }
  }
});

it('a chunk without a place in its array, and an array that the tree does not have, are found out', async () => {
  const third = filesOf(THIRD);
  const chunk = third.get('model/plain/c/0/0') ?? new Uint8Array(0);
  expect(await read(new Map(third).set('model/plain/c/3/0', chunk))).toBe(
    'damaged: the chunk "model/plain/c/3/0" has no place in its array',
  );
  const folders = filesOf(FOLDERS);
  const rest = new Map([...folders].filter(([name]) => !name.startsWith('params.bias/')));
  expect(await read(rest)).toBe('damaged: the array "params.bias" is not here');
});

it('a database that names files outside of its folder opens none', async () => {
  const files = new Map([...filesOf(DATABASE)].filter(([name]) => !name.startsWith('d/')));
  expect(await read(files)).toMatch(/^damaged: its part "d\/\w+" is not here/);
});

const asJson = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** An array of one number a chunk, with this in its description instead. */
const arrayWith = (instead: object): Files =>
  new Map([
    [
      'zarr.json',
      asJson({
        ...{ zarr_format: 3, node_type: 'array', shape: [4], data_type: 'uint8' },
        chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
        chunk_key_encoding: { name: 'default' },
        codecs: [{ name: 'bytes' }],
        ...instead,
      }),
    ],
    ['c/0', Uint8Array.of(1)],
  ]);

it('a shape beyond all sizes, and codecs without end, are found out', async () => {
  expect(await read(arrayWith({}))).toBe(
    'whole: 1 array, 1 chunk; 3 more are not here, as if never written',
  );
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [1, 1, 1] } };
  const huge = { shape: [2 ** 40, 2 ** 40, 2 ** 40], chunk_grid };
  const rest = new Map([...arrayWith(huge)].filter(([name]) => name !== 'c/0'));
  expect(await read(rest)).toBe('damaged: "" has a shape beyond all sizes');
  const codecs = Array.from({ length: 100_000 }, () => ({ name: 'crc32c' }));
  expect(await read(arrayWith({ codecs }))).toBe(
    'not loadable: its chunks are packed more often than Leasehold unpacks',
  );
});

it('a description that is nested without end is read, or found to be none', async () => {
  const described = Buffer.from(arrayWith({}).get('zarr.json') ?? []).toString();
  for (const depth of [100_000, 1_000_000]) {
    const deep = described.replace('{', `{"attributes":${nested(depth)},`);
    expect(await read(new Map(arrayWith({})).set('zarr.json', Buffer.from(deep)))).toMatch(
      /^(?:whole|damaged): /,
    );
  }
});

it('a tree whose names are no texts is none, whatever they are', async () => {
  const files = filesOf(FOLDERS);
  const leaf = (key: string, type: string): Uint8Array =>
    Buffer.from(
      `{"tree_metadata":{"a":{"key_metadata":[{"key":${key}}],"value_metadata":{"value_type":${type}}}}}`,
    );
  for (const odd of [nested(100_000), '{"toString":1}', 'null']) {
    const keyed = new Map(files).set('_METADATA', leaf(odd, '"scalar"'));
    expect(await read(keyed)).toBe('damaged: the array "" is not here');
    const typed = new Map(files).set('_METADATA', leaf('"a"', odd));
    expect(await read(typed)).toMatch(/^whole: /);
  }
});
