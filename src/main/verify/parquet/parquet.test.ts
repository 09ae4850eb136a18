import { expect, it } from 'vitest';
import {
  cutsOf,
  flipsOf,
  load,
  loadAll,
  passedOf,
  specimen,
  specimensOf,
} from '../load.fixture.ts';

const plain = specimen('columns/pyarrow-26.0.1--groups.parquet');
const sums = specimen('columns/pyarrow-26.0.1--sums.parquet');
const footAt = (bytes: Buffer): number => bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);

it('what the libraries wrote is loaded, but for what is encrypted', async () => {
  const flat = (groups: number): string =>
    `60 rows, 3 columns, ${groups === 1 ? '1 group' : `${String(groups)} groups`} of rows`;
  expect(await loadAll('columns', /\.parquet$/)).toEqual({
    'duckdb-2.0.0--lz4_raw.parquet': flat(1),
    'duckdb-2.0.0--snappy.parquet': flat(1),
    'duckdb-2.0.0--zstd.parquet': flat(1),
    'fastparquet-2026.9.0--appended.parquet': flat(2),
    'fastparquet-2026.9.0--default.parquet': flat(1),
    'fastparquet-2026.9.0--gzip.parquet': flat(2),
    'polars-2.1.0--default.parquet': flat(1),
    'polars-2.1.0--nested.parquet': '20 rows, 3 columns, 1 group of rows',
    'polars-2.1.0--streamed.parquet': flat(4),
    'pyarrow-1.0.1--brotli.parquet': flat(1),
    'pyarrow-1.0.1--default.parquet': flat(1),
    'pyarrow-1.0.1--empty.parquet': '0 rows, 3 columns, 1 group of rows',
    'pyarrow-1.0.1--groups.parquet': flat(3),
    'pyarrow-1.0.1--gzip.parquet': flat(1),
    'pyarrow-1.0.1--pages-2.parquet': flat(1),
    'pyarrow-26.0.1--brotli.parquet': flat(1),
    'pyarrow-26.0.1--default.parquet': flat(1),
    'pyarrow-26.0.1--empty.parquet': '0 rows, 3 columns, 1 group of rows',
    'pyarrow-26.0.1--encrypted-columns.parquet': 'not loadable: it is encrypted',
    'pyarrow-26.0.1--encrypted.parquet': 'not loadable: it is encrypted',
    'pyarrow-26.0.1--groups.parquet': flat(3),
    'pyarrow-26.0.1--gzip.parquet': flat(1),
    'pyarrow-26.0.1--kinds.parquet': '2 rows, 5 columns, 1 group of rows',
    'pyarrow-26.0.1--lz4.parquet': flat(1),
    'pyarrow-26.0.1--nested-2.parquet': '20 rows, 5 columns, 1 group of rows',
    'pyarrow-26.0.1--nested.parquet': '20 rows, 5 columns, 1 group of rows',
    'pyarrow-26.0.1--no-columns.parquet': '0 rows, 0 columns, 1 group of rows',
    'pyarrow-26.0.1--nulls.parquet': '9 rows, 2 columns, 1 group of rows',
    'pyarrow-26.0.1--pages-2.parquet': flat(1),
    'pyarrow-26.0.1--sums.parquet': flat(1),
  });
});

it.each(specimensOf('columns').filter((name) => name.endsWith('.parquet')))(
  '%s is read in pieces of any size',
  async (name) => {
    const whole = specimen(`columns/${name}`);
    const loaded = await load(name, whole);
    for (const bytes of [7, 100]) expect(await load(name, whole, bytes)).toEqual(loaded);
  },
);

it('is found out wherever it is cut off', async () => {
  expect(await passedOf('x.parquet', cutsOf(plain))).toEqual([]);
});

it('is found out with a bit flipped in what it begins and ends with, and before a page', async () => {
  // Of the page’s description, up to how its values are written.
  expect(await passedOf('x.parquet', flipsOf(plain, 0, 16))).toEqual([]);
  expect(await passedOf('x.parquet', flipsOf(plain, plain.length - 8, plain.length))).toEqual([]);
});

it('is found out with any bit of a page flipped that has a checksum', async () => {
  // The first column’s values, of which each is there once.
  expect(await passedOf('x.parquet', flipsOf(sums, 24, 279))).toEqual([]);
});

it.each(['pyarrow-26.0.1--gzip.parquet', 'pyarrow-26.0.1--brotli.parquet'])(
  'of %s, a page that cannot be unpacked is found out',
  async (name) => {
    const broken = Buffer.from(specimen(`columns/${name}`));
    broken.fill(0xff, 40, 60);
    expect(await load(name, broken)).toBe('damaged: what is compressed in it cannot be unpacked');
  },
);

/** The end of a file, with these bytes of it put in the place of others once. */
function patched(before: readonly number[], after: readonly number[]): Buffer {
  const at = plain.indexOf(Buffer.from(before), footAt(plain));
  expect(at).toBeGreaterThan(0);
  const copy = Buffer.from(plain);
  copy.set(after, at);
  return copy;
}

const zigzag = (value: number): readonly number[] => [((value * 2) & 0x7f) | 0x80, value >> 6];

it('sizes and places that lie are found out', async () => {
  // How many bytes the first column has, and where it begins.
  const said = [...zigzag(271), 0x26, 8];
  const say = (...instead: readonly number[]) => load('x.parquet', patched(said, instead));
  expect(await say(...said)).toMatchObject({ kind: 'loaded' });
  expect(await say(...zigzag(272), 0x26, 8)).toMatch(/^damaged: the column "\w+" overlaps /);
  expect(await say(...zigzag(270), 0x26, 8)).toBe('damaged: the column "step" is cut off');
  expect(await say(...zigzag(271), 0x26, 6)).toMatch(/^damaged: the column "step" overlaps its/);
  expect(await say(...zigzag(8000), 0x26, 8)).toBe(
    'damaged: the column "step" ends behind its end',
  );
});

it('another number of rows or values is found out', async () => {
  // Behind the columns of all, 60 rows; of a group’s column, 25 values.
  expect(await load('x.parquet', patched([0x16, 120], [0x16, 122]))).toBe(
    'damaged: its groups have another number of rows than it has',
  );
  expect(await load('x.parquet', patched([0x16, 50], [0x16, 48]))).toBe(
    'damaged: the column "step" has another number of values than there are rows',
  );
});

it('bytes that belong to nothing are found out, but for zeros between groups', async () => {
  const at = footAt(plain);
  const behind = (bytes: Uint8Array) =>
    load('x.parquet', Buffer.concat([plain.subarray(0, at), bytes, plain.subarray(at)]));
  expect(await behind(Buffer.alloc(100_000))).toMatchObject({ kind: 'loaded' });
  expect(await behind(Buffer.concat([Buffer.alloc(70_000), Buffer.from('x')]))).toMatch(
    /^damaged: the bytes from \d+ to \d+ belong to nothing/,
  );
});

/** A file that is nothing but this end. */
function fileOf(...foot: readonly number[]): Buffer {
  const tail = Buffer.from('\0\0\0\0PAR1');
  tail.writeUInt32LE(foot.length);
  return Buffer.concat([Buffer.from('PAR1'), Buffer.from(foot), tail]);
}

it.each([
  ['a list that claims to be of any length', [0x29, 0xfc, 0xff, 0xff, 0xff, 0x7f]],
  ['a text that claims to be of any length', [0x68, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['a field twice', [0x15, 0, 0x05, 2, 0]],
  ['no columns', [0x15, 0, 0]],
  ['nothing', []],
])('an end with %s is damaged', async (_what, foot) => {
  expect(await load('x.parquet', fileOf(...foot))).toMatch(/^damaged: /);
});

it('an end that is nested deep does not keep a reader', async () => {
  const foot = Array.from({ length: 100_000 }, () => 0xac);
  expect(await load('x.parquet', fileOf(...foot))).toBe(
    'not loadable: its description is nested deeper than any is',
  );
});

it('columns as Arrow has them are found out with a letter that is none, and one that leads elsewhere', async () => {
  const whole = specimen('columns/pyarrow-26.0.1--no-columns.parquet');
  const at = whole.indexOf('ARROW:schema') + 'ARROW:schema'.length;
  const broken = (place: number, letter: string): Buffer => {
    const bytes = Buffer.from(whole);
    bytes.write(letter, at + place);
    return bytes;
  };
  expect(await load('x.parquet', broken(12, '*'))).toBe(
    'damaged: its columns as Arrow has them cannot be read',
  );
  expect(await load('x.parquet', broken(20, 'zz'))).toBe(
    'damaged: what it says of itself is cut off or leads nowhere',
  );
});

it('a list that was once called a map, or the other way round, is found out', async () => {
  const nested = specimen('columns/polars-2.1.0--nested.parquet');
  // The kind of a list, and behind it what it means: the third of the meanings, which holds nothing.
  const list = Buffer.from([0x15, 0x06, 0x4c, 0x3c, 0, 0]);
  const at = nested.indexOf(list);
  const said = async (place: number, byte: number) => {
    const bytes = Buffer.from(nested);
    bytes[at + place] = byte;
    return load('x.parquet', bytes);
  };
  expect(await said(3, 0x3c)).toMatchObject({ kind: 'loaded' });
  expect(await said(3, 0x2c)).toBe('damaged: the column "ids" is described in two ways');
  expect(await said(1, 0x02)).toBe('damaged: the column "ids" is described in two ways');
});

it('two columns of one list that tell different lengths of it are found out', async () => {
  const nested = Buffer.from(specimen('columns/pyarrow-26.0.1--nested.parquet'));
  // Of the keys of a map: where a row begins, and where it goes on with one that is there.
  nested[516] = (nested[516] ?? 0) ^ 0x03;
  expect(await load('x.parquet', nested)).toBe(
    'damaged: the column "pairs.key_value.value" has lists of other lengths than the columns beside it',
  );
});

it('a list that goes on although it is not there is found out', async () => {
  const nested = Buffer.from(specimen('columns/pyarrow-26.0.1--nested.parquet'));
  // How often it repeats, and behind that how deep it is: in two rows of their own.
  nested[104] = (nested[104] ?? 0) ^ 0x80;
  expect(await load('x.parquet', nested)).toBe(
    'damaged: a page of the column "ids.list.element" has other values than it says',
  );
});
