import { expect, it } from 'vitest';
import { lookup3 } from './lookup3.ts';
import {
  cutsOf,
  flipsOf,
  flipsOfBytes,
  load,
  loadAll,
  passedOf,
  specimen,
} from '../load.fixture.ts';

const whole = specimen('hdf5/h5py-3.16.0--default.h5');
const many = specimen('hdf5/h5py-3.16.0--many.hdf5');
const newer = specimen('hdf5/h5py-3.16.0--newer.h5');

it('what the libraries wrote is loaded, also in the newer way of laying it out', async () => {
  expect(await loadAll('hdf5')).toEqual({
    'h5py-3.16.0--default.h5': '3 groups, 10 sets of data, 271 values',
    'h5py-3.16.0--latest.h5': '3 groups, 10 sets of data, 271 values',
    'h5py-3.16.0--many.hdf5': '1 group, 20 sets of data, 60 values',
    'h5py-3.16.0--newer.h5': '4 groups, 43 sets of data, 3671 values',
    'keras-3.15.1--model.h5': '11 groups, 6 sets of data, 29 values',
    'keras-3.15.1--model.keras': '3 files, 18126 bytes unpacked',
    'keras-3.15.1--model.weights.h5': '9 groups, 6 sets of data, 29 values',
  });
});

it.each([13, 1 << 20])('numbers are looked at in pieces of %i bytes', async (piece) => {
  expect(await load('x.h5', whole, piece)).toMatchObject({
    numbers: {
      nonFinite: 1,
      affected: [{ tensor: 'model/dense/kernel', count: 1 }],
      allZero: ['model/dense/bias'],
    },
  });
  // 60 numbers, of which the first three are zero.
  expect(await load('x.h5', many, piece)).toMatchObject({
    numbers: { scanned: 60, allZero: ['layer_0'] },
  });
});

it('is found out wherever it is cut off', async () => {
  // What stands behind the end that it says is none of its parts, and the library passes over it too.
  expect(await passedOf('x.h5', cutsOf(many))).toEqual([many.length]);
});

const END_AT = 40;
const ROOT_AT = 64;

it('is found out with a bit flipped in what it begins with, its end or its root', async () => {
  for (const from of [0, END_AT, ROOT_AT]) {
    expect(await passedOf('x.h5', flipsOf(many, from, from + 8))).toEqual([]);
  }
});

/** Where each of these begins. */
function placesOf(bytes: Buffer, mark: string | Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at);
  return places;
}

it.each(['TREE', 'SNOD', 'HEAP'])('is found out with a bit flipped in any %s', async (mark) => {
  const places = placesOf(whole, mark);
  expect(places.length).toBeGreaterThan(2);
  for (const at of places) {
    expect(await passedOf('x.h5', flipsOf(whole, at, at + 4))).toEqual([]);
  }
});

it('texts of any length are found where they lie: each bit counts that leads there', async () => {
  const name = 'keras-3.15.1--model.weights.h5';
  const whole = specimen(`hdf5/${name}`);
  const at = whole.indexOf('GCOL');
  const parts = [
    ...[
      [at, at + 5],
      [at + 8, at + 16],
    ],
    // The number of the first one, and how much longer it would be than all of them.
    ...[
      [at + 16, at + 18],
      [at + 26, at + 32],
    ],
  ] as const;
  for (const [from, to] of parts) {
    expect(await passedOf(name, flipsOf(whole, from ?? 0, to ?? 0)), String(from)).toEqual([]);
  }
});

it('every bit of a chunk that is packed counts', async () => {
  // As zlib begins at the level that h5py asks for.
  const places = placesOf(whole, Buffer.from([0x78, 0x5e]));
  expect(places).toHaveLength(6);
  for (const at of places) {
    expect(await passedOf('x.h5', flipsOf(whole, at + 2, at + 6))).toEqual([]);
  }
});

it.each([
  'OHDR',
  'OCHK',
  'FRHP',
  'FHDB',
  'FHIB',
  'BTHD',
  'BTLF',
  'FAHD',
  'FADB',
  'EAHD',
  'EAIB',
  'EADB',
  'EASB',
])('of the newer way, is found out with a bit flipped in any %s', async (mark) => {
  const places = placesOf(newer, mark).slice(0, 3);
  expect(places.length).toBeGreaterThan(0);
  for (const at of places) {
    expect(await passedOf('x.h5', flipsOfBytes(newer, at, at + 14))).toEqual([]);
  }
});

it('of the newer way, is found out wherever it is cut off', async () => {
  const some = [...cutsOf(newer)].filter((_, no) => no % 997 === 0 || no > newer.length - 40);
  expect(await passedOf('x.h5', some)).toEqual([some.length - 1]);
});

it('of the newer way, a name or a chunk that is left out is found out by how many there should be', async () => {
  // The two lowest nodes of a tree change places: each has its checksum still.
  const [first = 0, second = 0] = placesOf(newer, 'BTLF');
  const copy = Buffer.from(newer);
  newer.copy(copy, first, second, second + 64);
  newer.copy(copy, second, first, first + 64);
  expect(await load('x.h5', copy)).toMatch(/^damaged: /);
});

it('one that is open to be written is told', async () => {
  const open = Buffer.from(specimen('hdf5/h5py-3.16.0--latest.h5'));
  open.writeUInt8(1, 11);
  open.writeUInt32LE(lookup3(open.subarray(0, 44)), 44);
  expect(await load('x.h5', open)).toBe('damaged: who wrote it has not closed it');
});

function patched(bytes: Buffer, before: Buffer, after: Buffer): Buffer {
  const [at, ...others] = placesOf(bytes, before);
  expect(others).toEqual([]);
  const copy = Buffer.from(bytes);
  copy.set(after, at);
  return copy;
}

function u64(...values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes;
    }),
  );
}

const layer = (no: number): number => {
  const bytes = Buffer.alloc(12);
  for (const at of [0, 4, 8]) bytes.writeFloatLE(no, at);
  return many.indexOf(bytes);
};

it('an overlap, a place behind its end and another length are found out', async () => {
  const lying = u64(layer(3), 12);
  const say = (...instead: readonly number[]) =>
    load('x.h5', patched(many, lying, u64(...instead)));
  expect(await say(layer(4), 12)).toMatch(/^damaged: the data "layer_\d" overlaps the data/);
  expect(await say(0, 12)).toMatch(/^damaged: .* overlaps /);
  expect(await say(many.length - 8, 12)).toBe('damaged: the data "layer_3" ends behind its end');
  expect(await say(layer(3), 16)).toBe(
    'damaged: the data "layer_3" take 16 bytes, which their shape does not fill',
  );
});

it('a tree that leads to itself is found out, and does not keep a reader', async () => {
  const [tree = 0] = placesOf(many, 'TREE');
  const [node = 0] = placesOf(many, 'SNOD');
  const copy = Buffer.from(many);
  const at = copy.indexOf(u64(node), tree);
  copy.set(u64(tree), at);
  expect(await load('x.h5', copy)).toMatch(/^damaged: /);
  copy.writeUInt8(200, tree + 5);
  expect(await load('x.h5', copy)).toBe('damaged: a node of a tree is not what leads to it');
});

it('what lies behind something else in its file is found, and what lies behind its end is told', async () => {
  for (const before of [512, 1024, 4096]) {
    const bytes = Buffer.concat([Buffer.alloc(before), many]);
    expect(await load('x.h5', bytes)).toMatchObject({
      numbers: { scanned: 60, allZero: ['layer_0'] },
    });
  }
  expect(await load('x.h5', Buffer.alloc(5000))).toMatch(/^damaged: it does not begin/);
  const longer = await load('x.h5', Buffer.concat([many, Buffer.alloc(3)]));
  expect(longer).toMatchObject({
    holds: '1 group, 20 sets of data, 60 values; 3 bytes behind its end',
  });
});

it('chunks that all lie in one place are found out before they are unpacked', async () => {
  const copy = Buffer.from(whole);
  const [, ...trees] = placesOf(whole, 'TREE').filter((at) => whole.readUInt8(at + 4) === 1);
  const tree = trees.find((at) => whole.readUInt16LE(at + 6) === 6) ?? 0;
  const keyBytes = 8 + 3 * 8;
  const child = (no: number): number => tree + 24 + no * (keyBytes + 8) + keyBytes;
  for (let no = 1; no < 6; no += 1) copy.copy(copy, child(no), child(0), child(0) + 8);
  expect(await load('x.h5', copy)).toMatch(/^damaged: /);
});

it('a chunk that claims to be larger than it is unpacks to no more', async () => {
  // Chunks of 4 × 4 numbers of 8 bytes, which the file says to be 4 × 4 of 4.
  const sizes = Buffer.from([4, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
  const copy = patched(whole, sizes, Buffer.from([4, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0]));
  expect(await load('x.h5', copy)).toMatch(/^damaged: /);
});

it('a model of Keras is found out when a bit of it is flipped, or one of its files is missing', async () => {
  const model = specimen('hdf5/keras-3.15.1--model.keras');
  const flipped = Array.from({ length: 60 }, (_, no) => {
    const broken = Buffer.from(model);
    const at = 100 + no * 300;
    broken[at] = (broken[at] ?? 0) ^ (1 << (no % 8));
    return broken;
  });
  expect(await passedOf('x.keras', flipped)).toEqual([]);
  const renamed = model.toString('latin1').replaceAll('config.json', 'konfig.json');
  expect(await load('x.keras', Buffer.from(renamed, 'latin1'))).toBe(
    'damaged: "config.json" is missing in it',
  );
});
