import { crc32, deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';
import { buildZip, type Told } from './archive.fixture.ts';

const text = Buffer.from('loss,step\n'.repeat(50));
const file = (more: Partial<Told> = {}): Told => ({ name: 'a', packed: text, ...more });
const deflated = (more: Partial<Told> = {}): Told => ({
  ...file({ packed: deflateRawSync(text), method: 8, bytes: text.length, crc: crc32(text) }),
  ...more,
});
const zipOf = (...files: Told[]) => load('x.zip', buildZip(files));

it('what other programs wrote is loaded, but for what is encrypted, rare, or made of objects', async () => {
  const byNumpy = (version: string) => ({
    [`numpy-${version}--compressed.npz`]: '6 arrays, 34 elements',
    [`numpy-${version}--empty.npz`]: '0 arrays, 0 elements',
    [`numpy-${version}--not-finite.npz`]: '2 arrays, 2001 elements',
    [`numpy-${version}--objects.npz`]:
      'not loadable: of the array "objects", it holds Python objects, which only running what it says could load',
    [`numpy-${version}--plain.npz`]: '6 arrays, 34 elements',
  });
  expect(await loadAll('zip')).toEqual({
    'infozip-3.0--encrypted.zip': 'not loadable: its file "plots/a.txt" is encrypted',
    'infozip-3.0--plain.zip': '3 files, 3800 bytes unpacked',
    'infozip-3.0--streamed.zip': '3 files, 3800 bytes unpacked',
    'jdk-17--jar.zip': '3 files, 3800 bytes unpacked',
    ...byNumpy('1.26.4'),
    ...byNumpy('2.4.6'),
    'python-3.11.7--bzip2.zip':
      'not loadable: its file "metrics.csv" is compressed in a way that Leasehold does not read',
    'python-3.11.7--deflated.zip': '3 files, 1919 bytes unpacked',
    'python-3.11.7--large-fields.zip': '1 file, 1900 bytes unpacked',
    'python-3.11.7--nested.zip': '1 file, 117 bytes unpacked',
    'python-3.11.7--nothing.zip': '0 files, 0 bytes unpacked',
    'python-3.11.7--stored.zip': '3 files, 1919 bytes unpacked',
    'python-3.11.7--streamed.zip': '2 files, 3800 bytes unpacked',
    'python-3.11.7--unpacks-itself.zip':
      '1 file, 1900 bytes unpacked; 10 bytes before it are no part of it',
  });
});

it.each(['deflated', 'nested', 'nothing', 'streamed'])(
  'an archive is found out wherever it is cut off: %s',
  async (what) => {
    const whole = specimen(`zip/python-3.11.7--${what}.zip`);
    expect(await passedOf('x.zip', cutsOf(whole))).toEqual([]);
  },
);

it('is found out with any bit flipped, but in what says who wrote it and with which rights', async () => {
  const whole = specimen('zip/python-3.11.7--nested.zip');
  const entryAt = whole.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  const free = [4, 5, ...[4, 5, 6, 7, 36, 37, 38, 39, 40, 41].map((at) => entryAt + at)];
  const passed = await passedOf('x.zip', flipsOf(whole, 0, whole.length));
  expect([...new Set(passed.map((bit) => bit >> 3))].filter((at) => !free.includes(at))).toEqual(
    [],
  );
});

it('is found out with any bit flipped in what stands behind a content that was streamed', async () => {
  const whole = specimen('zip/python-3.11.7--streamed.zip');
  for (const [mark, length] of [
    [whole.indexOf('PK\x07\x08', 0, 'latin1'), 16],
    [whole.lastIndexOf('PK\x07\x08', undefined, 'latin1'), 24],
  ] as const) {
    expect(mark).toBeGreaterThan(0);
    expect(await passedOf('x.zip', flipsOf(whole, mark, mark + length))).toEqual([]);
  }
});

it('is found out with any bit of a content flipped', async () => {
  const whole = buildZip([file({ packed: text.subarray(0, 40) })]);
  expect(await passedOf('x.zip', flipsOf(whole, 31, 71))).toEqual([]);
  const numbers = specimen('zip/numpy-2.4.6--plain.npz');
  const at = numbers.indexOf('NUMPY');
  expect(await passedOf('x.npz', flipsOf(numbers, at, at + 60))).toEqual([]);
});

it.each([
  ['a name that stands twice', [file(), file()], 'its file "a" is in it twice'],
  ['a name that climbs', [file({ name: 'a/../../b' })], 'outside of its folder'],
  ['a name from the root', [file({ name: '/etc/cron.d/a' })], 'outside of its folder'],
  ['a name on a drive', [file({ name: 'C:a' })], 'outside of its folder'],
  ['a name with a backslash', [file({ name: '..\\a' })], 'outside of its folder'],
  ['no name', [file({ name: '' })], 'has no name'],
  ['another name before the content', [file({ local: { name: 'b' } })], 'not what the directory'],
  ['another method before the content', [file({ local: { method: 8 } })], 'not what the directory'],
  ['another size before the content', [file({ local: { bytes: 7 } })], 'another size or checksum'],
  ['two sizes though it is stored', [file({ bytes: 7 })], 'has two sizes'],
  ['a wrong checksum', [file({ crc: 7 })], 'another checksum'],
  ['one content for two files', [file(), file({ name: 'b', headerAt: 0 })], 'not begin where'],
  ['a claim beyond what it can be', [deflated({ bytes: 2 ** 31 })], 'longer than it can be'],
  ['more than it claims', [deflated({ bytes: 499 })], 'unpacks to more'],
  ['less than it claims', [deflated({ bytes: 501 })], 'unpacks to less'],
  ['what is no such stream', [deflated({ packed: text })], 'cannot be unpacked'],
  [
    'bytes behind the end of a stream',
    [deflated({ packed: Buffer.concat([deflateRawSync(text), text]) })],
    'bytes behind its end',
  ],
])('an archive is found out with %s', async (_what, files, why) => {
  expect(await zipOf(...files)).toMatch(new RegExp(`^damaged: .*${why}`));
});

it('is found out with bytes that belong to nothing, before, between and behind', async () => {
  const whole = buildZip([file(), file({ name: 'b' })]);
  const before = Buffer.concat([Buffer.from('#!/bin/sh\n'), whole]);
  expect(await load('x.npz', before)).toMatch(/^damaged: /);
  const between = buildZip([file(), file({ name: 'b' })], Buffer.alloc(3));
  expect(await load('x.zip', between)).toMatch(/belong to no file/);
  expect(await load('x.zip', Buffer.concat([whole, whole]))).toMatch(/^damaged: /);
});

it.each([
  ['counted from the beginning of the file', specimen('zip/python-3.11.7--unpacks-itself.zip')],
  [
    'counted from the beginning of the archive',
    Buffer.concat([Buffer.from('#!/bin/sh\n'), specimen('zip/python-3.11.7--deflated.zip')]),
  ],
])('a program may stand before an archive, with places %s', async (_what, whole) => {
  const before = / [0-9]+ bytes before it are no part of it$/;
  expect(await load('x.zip', whole)).toMatchObject({ holds: expect.stringMatching(before) });
  expect(await passedOf('x.zip', cutsOf(whole))).toEqual([]);
  const [first, directory] = [whole.indexOf('PK\x03\x04'), whole.indexOf('PK\x01\x02')];
  expect(await passedOf('x.zip', flipsOf(whole, first, first + 4))).toEqual([]);
  // Where the directory says that the first file begins, and the end that the directory does.
  expect(await passedOf('x.zip', flipsOf(whole, directory + 42, directory + 46))).toEqual([]);
  const end = whole.lastIndexOf('PK\x05\x06');
  expect(await passedOf('x.zip', flipsOf(whole, end + 16, end + 20))).toEqual([]);
});

it('unpacks a bomb a piece at a time, and no further than it claims', async () => {
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
  const before = process.memoryUsage().arrayBuffers;
  const lying = deflated({ packed: bomb, bytes: 1000 });
  expect(await zipOf(lying)).toBe('damaged: its file "a" unpacks to more than it claims');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
});

it('an archive in an archive is one file, whatever it holds', async () => {
  const inner = buildZip([file({ name: '../escape' })]);
  expect(await zipOf(file({ packed: inner }))).toMatchObject({ kind: 'loaded' });
});

it.each([1, 3, 7, 64, 1 << 20])('arrays are looked at in pieces of %i bytes', async (piece) => {
  const numbers = (name: string) => load(name, specimen(`zip/numpy-2.4.6--${name}`), piece);
  expect(await numbers('not-finite.npz')).toMatchObject({
    numbers: {
      scanned: 2001,
      nonFinite: 3,
      affected: [
        { tensor: 'arr_0', count: 2 },
        { tensor: 'arr_1', count: 1 },
      ],
    },
  });
  for (const name of ['plain.npz', 'compressed.npz']) {
    expect(await numbers(name)).toMatchObject({
      numbers: { scanned: 26, nonFinite: 0, affected: [], allZero: ['unused'] },
    });
  }
});

it('an array that is not what its header says is found out, though its checksum is right', async () => {
  const whole = specimen('arrays/numpy-2.4.6--matrix.npy');
  const array = (packed: Uint8Array) =>
    load('x.npz', buildZip([file({ name: 'loss.npy', packed })]));
  expect(await array(whole)).toMatchObject({ holds: '1 array, 15 elements' });
  expect(await array(whole.subarray(0, -1))).toMatch(/^damaged: of the array "loss", its shape/);
  expect(await array(new Uint8Array(0))).toMatch(/^damaged: of the array "loss", it is shorter/);
});
