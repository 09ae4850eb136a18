import { describe, expect, it } from 'vitest';
import {
  cutsOf,
  flipsOf,
  load,
  loadAll,
  passedOf,
  specimen,
  specimensOf,
} from '../load.fixture.ts';

const ENDS = /\.(?:arrows?|feather)$/;
const file = specimen('columns/pyarrow-26.0.1--flat.arrow');
const stream = specimen('columns/pyarrow-26.0.1--flat.arrows');

it('what the libraries wrote is loaded, but for the first format', async () => {
  const written = {
    'empty.arrow': '0 rows, 3 columns, 0 batches',
    'empty.arrows': '0 rows, 3 columns, 0 batches',
    'flat.arrow': '60 rows, 3 columns, 3 batches',
    'flat.arrows': '60 rows, 3 columns, 3 batches',
    'lz4.feather': '60 rows, 3 columns, 1 batch',
    'nested.arrow': '20 rows, 3 columns, 1 batch',
    'nested.arrows': '20 rows, 3 columns, 1 batch',
    'shared.arrow': '60 rows, 2 columns, 3 batches',
    'shared.arrows': '60 rows, 2 columns, 3 batches',
    'zstd.feather': '60 rows, 3 columns, 1 batch',
  };
  const named = (version: string, found: Readonly<Record<string, string>>) =>
    Object.entries(found).map(([name, holds]) => [`pyarrow-${version}--${name}`, holds]);
  expect(await loadAll('columns', ENDS)).toEqual(
    Object.fromEntries([
      ...named('26.0.1', { ...written, 'kinds.feather': '15 rows, 11 columns, 1 batch' }),
      ['polars-2.1.0--default.arrow', '60 rows, 3 columns, 1 batch'],
      ...named('1.0.1', {
        ...written,
        'first.feather':
          'not loadable: it is of the first version of Feather, which Leasehold does not look into',
      }),
    ]),
  );
});

it.each(specimensOf('columns').filter((name) => ENDS.test(name)))(
  '%s is read in pieces of any size',
  async (name) => {
    const whole = specimen(`columns/${name}`);
    const loaded = await load(name, whole);
    for (const bytes of [7, 100]) expect(await load(name, whole, bytes)).toEqual(loaded);
  },
);

it('a file is found out wherever it is cut off', async () => {
  expect(await passedOf('x.arrow', cutsOf(file))).toEqual([]);
});

it('a file of Polars is found out wherever it is cut off', async () => {
  const polars = specimen('columns/polars-2.1.0--default.arrow');
  expect(await passedOf('x.arrow', cutsOf(polars))).toEqual([]);
});

it('a stream is found out wherever it is cut off within a message, and told to have no end', async () => {
  const passed = await passedOf('x.arrows', cutsOf(stream));
  // Behind its columns and behind each batch: a writer may end there.
  expect(passed).toEqual([232, 1032, 1832, 2312]);
  expect(await load('x.arrow', stream.subarray(0, 1032))).toMatchObject({
    holds: '25 rows, 3 columns, 1 batch, no end mark',
  });
});

it('is found out with a bit flipped in what it begins and ends with', async () => {
  const end = file.length;
  expect(await passedOf('x.arrow', flipsOf(file, 0, 6))).toEqual([]);
  expect(await passedOf('x.arrow', flipsOf(file, end - 10, end))).toEqual([]);
  // The length of the first message, with what stands before it.
  expect(await passedOf('x.arrow', flipsOf(file, 8, 16))).toEqual([]);
});

/** The only place in which these numbers of eight bytes stand one behind the other. */
function patched(bytes: Buffer, before: readonly number[], after: readonly number[]): Buffer {
  const wanted = u64(before);
  const at = bytes.indexOf(wanted);
  expect(at).toBeGreaterThan(0);
  const copy = Buffer.from(bytes);
  copy.set(u64(after), at);
  return copy;
}

function u64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, no) => bytes.writeBigInt64LE(BigInt(value), 8 * no));
  return bytes;
}

it('parts that lie are found out', async () => {
  // Of 25 whole numbers of eight bytes and of four, which fills up to eight, behind no mark of what is missing.
  const said = [0, 200, 200, 0, 200, 104];
  const say = (...instead: readonly number[]) => load('x.arrow', patched(file, said, instead));
  expect(await say(...said)).toMatchObject({ kind: 'loaded' });
  expect(await say(0, 192, 200, 0, 200, 104)).toBe(
    'damaged: the column "step" is shorter than its values take',
  );
  expect(await say(0, 208, 200, 0, 200, 104)).toBe('damaged: parts of some rows overlap');
  expect(await say(4, 200, 208, 0, 208, 104)).toBe(
    'damaged: a part of some rows does not begin where one may',
  );
  expect(await say(0, 200, 200, 0, 200, 5000)).toBe(
    'damaged: a part of some rows ends behind them',
  );
  expect(await say(0, -200, 200, 0, 200, 104)).toBe(
    'damaged: a part of some rows ends behind them',
  );
});

it('another number of values than rows is found out', async () => {
  // How many values the first column has, and how many are missing; then the second one’s.
  expect(await load('x.arrow', patched(file, [25, 0, 25, 0], [24, 0, 25, 0]))).toBe(
    'damaged: the column "step" has another number of values than rows',
  );
  expect(await load('x.arrow', patched(file, [25, 0, 25, 0], [25, 26, 25, 0]))).toBe(
    'damaged: the column "step" is not described',
  );
});

it('an end that leads elsewhere is found out', async () => {
  const at = file.length - 10 - file.readUInt32LE(file.length - 10);
  const foot = patched(file.subarray(at), [240, 256, 544], [248, 256, 544]);
  expect(await load('x.arrow', Buffer.concat([file.subarray(0, at), foot]))).toBe(
    'damaged: its rows do not lie where its end says',
  );
  const name = Buffer.from(file);
  name.write('stop', name.lastIndexOf('step'));
  expect(await load('x.arrow', name)).toBe('damaged: its columns are described in two ways');
});

it('what LZ4 packed is found out with a bit flipped in how it begins, and cut off', async () => {
  const packed = specimen('columns/pyarrow-26.0.1--lz4.feather');
  const at = packed.indexOf(Buffer.from([0x04, 0x22, 0x4d, 0x18]));
  // How long it was, the mark, and the flags with their checksum.
  expect(await passedOf('x.feather', flipsOf(packed, at - 8, at + 7))).toEqual([]);
});

it('a message that claims to be of any length takes no memory', async () => {
  const claim = Buffer.alloc(8, 0xff);
  claim.writeUInt32LE(0x7fffffff, 4);
  expect(await load('x.arrows', claim)).toBe('damaged: a message in it is cut off');
  expect(await load('x.arrows', Buffer.alloc(0))).toBe('damaged: its columns are not described');
});

describe('what leads to values that there are not, or to none', () => {
  const nested = specimen('columns/pyarrow-26.0.1--nested.arrow');
  const words = new Set<string>();

  // In parts, since all of them take a busy machine minutes.
  const PARTS = [1000, 1300, 1600].flatMap((from) => [
    ['nested', from, nested] as const,
    ['plain', from, file] as const,
  ]);
  it.each(PARTS)('is read or found out, %s from byte %i', async (_which, from, bytes) => {
    for (const flipped of flipsOf(bytes, from, from + 300)) {
      const found = await load('x.arrow', flipped);
      if (typeof found === 'string') words.add(found.replace(/".*"/, '…'));
    }
  });

  it('is found out by its name', () => {
    expect([...words]).toEqual(
      expect.arrayContaining([
        'damaged: the column … has another number of missing values than it says',
        'damaged: the column … has values that end before they begin',
        'damaged: the column … has values that lie outside of it',
        'damaged: the column … is not UTF-8',
      ]),
    );
  });
});

it('a time that no day has is found out', async () => {
  const kinds = specimen('columns/pyarrow-26.0.1--kinds.feather');
  // A high bit of one of its times.
  const late = Buffer.from(kinds);
  late[3399] = 0x08;
  expect(await load('x.feather', late)).toBe(
    'damaged: the column "hour" has times that no day has',
  );
});
