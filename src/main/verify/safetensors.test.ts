import { expect, it } from 'vitest';
import type { Loaded } from '../../shared/verify/loaded.ts';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from './load.fixture.ts';

const whole = specimen('arrays/safetensors-0.8.0--plain.safetensors');
const headerBytes = Number(whole.readBigUInt64LE(0));

function withHeader(header: string, data = whole.subarray(8 + headerBytes)): Buffer {
  const lead = Buffer.alloc(8);
  lead.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([lead, Buffer.from(header), data]);
}

const tensor = (begin: number, end: number, more: object = {}) => ({
  ...{ dtype: 'U8', shape: [end - begin], data_offsets: [begin, end] },
  ...more,
});

const of = (fields: object, dataBytes: number): Promise<Loaded | string> =>
  load('x.safetensors', withHeader(JSON.stringify(fields), Buffer.alloc(dataBytes, 1)));

it('what the libraries wrote is loaded, but for objects that only Python could make', async () => {
  expect(await loadAll('arrays')).toEqual({
    'numpy-2.4.6--columns.npy': expect.stringMatching(/^an array of 2, .{300}…$/),
    'numpy-2.4.6--empty.npy': 'an array of 0 × 3, i4',
    'numpy-2.4.6--fortran.npy': 'an array of 3 × 5, f4',
    'numpy-2.4.6--in-a-row.npy': '2 arrays in a row, 5 elements',
    'numpy-2.4.6--matrix.npy': 'an array of 3 × 5, f8',
    'numpy-2.4.6--names.npy': 'an array of 2, U8',
    'numpy-2.4.6--nested.npy':
      'an array of 3, [(step, i4), (box, f4, (2, 3)), (inner, [(x, u1), (name, U4)])]',
    'numpy-2.4.6--objects.npy':
      'not loadable: it holds Python objects, which only running what it says could load',
    'numpy-2.4.6--scalar.npy': 'one value, f4',
    'numpy-2.4.6--table.npy': 'an array of 2, [(step, i4), (loss, f8)]',
    'numpy-2.4.6--titles.npy': 'an array of 2, [((A title, a), u1), (b, f8)]',
    'numpy-2.4.6--version-2.npy': 'an array of 6, i2',
    'safetensors-0.8.0--empty.safetensors': '0 tensors, 0 numbers',
    'safetensors-0.8.0--not-finite.safetensors': '4 tensors, 36 numbers',
    'safetensors-0.8.0--plain.safetensors': '8 tensors, 154 numbers',
  });
});

it.each([1, 3, 7, 64, 1 << 20])('numbers are looked at in pieces of %i bytes', async (piece) => {
  const numbers = (name: string) => load(name, specimen(`arrays/${name}`), piece);
  expect(await numbers('safetensors-0.8.0--not-finite.safetensors')).toMatchObject({
    numbers: {
      scanned: 36,
      nonFinite: 5,
      affected: expect.arrayContaining([
        { tensor: 'a', count: 2 },
        { tensor: 'b', count: 1 },
        { tensor: 'c', count: 1 },
        { tensor: 'd', count: 1 },
      ]) as unknown,
      allZero: [],
    },
  });
  expect(await numbers('safetensors-0.8.0--plain.safetensors')).toMatchObject({
    numbers: { scanned: 149, nonFinite: 0, affected: [], allZero: ['unused'] },
  });
  expect(await numbers('numpy-2.4.6--in-a-row.npy')).toMatchObject({
    numbers: { scanned: 5, affected: [{ tensor: 'array 2', count: 1 }] },
  });
  expect(await numbers('numpy-2.4.6--scalar.npy')).toMatchObject({ numbers: { nonFinite: 1 } });
});

it('is found out wherever it is cut off, and with a byte too many', async () => {
  expect(await passedOf('x.safetensors', cutsOf(whole))).toEqual([]);
});

it('is found out with a bit flipped in the length of its header', async () => {
  expect(await passedOf('x.safetensors', flipsOf(whole, 0, 8))).toEqual([]);
});

it.each([
  ['a hole', { a: tensor(0, 4), b: tensor(5, 8) }, 8],
  ['an overlap', { a: tensor(0, 5), b: tensor(4, 8) }, 8],
  ['a beginning that is not the first byte', { a: tensor(1, 8) }, 8],
  ['bytes at its end that are nobody’s', { a: tensor(0, 7) }, 8],
  ['an end beyond the file', { a: tensor(0, 9) }, 8],
  ['a shape that is longer', { a: tensor(0, 8, { shape: [9] }) }, 8],
  ['a shape beyond all numbers', { a: tensor(0, 8, { shape: [2 ** 40, 2 ** 40] }) }, 8],
  ['a negative size', { a: tensor(0, 8, { shape: [-8] }) }, 8],
  ['a fraction', { a: tensor(0, 8, { shape: [8.5] }) }, 8],
  ['an unknown type', { a: tensor(0, 8, { dtype: 'Q8' }) }, 8],
  ['a field too many', { a: tensor(0, 8, { code: 'import os' }) }, 8],
  ['metadata that are no texts', { __metadata__: { a: [1] }, a: tensor(0, 8) }, 8],
])('is found out with %s', async (_what, fields, dataBytes) => {
  expect(await of(fields, dataBytes)).toMatch(/^damaged: /);
});

it('is found out with a name that stands twice, which JSON.parse would pass over', async () => {
  const one = JSON.stringify(tensor(0, 8));
  const bytes = withHeader(`{"a":${one},"a":${one}}`, Buffer.alloc(8));
  expect(await load('x.safetensors', bytes)).toMatch(/a name that stands there twice/);
});

it('holds memory for no more than there is, whatever it claims', async () => {
  const bytes = Buffer.alloc(16, 0x7b);
  bytes.writeBigUInt64LE(99_000_000n);
  expect(await load('x.safetensors', bytes)).toMatch(/^damaged: its header takes 99000000 bytes/);
});
