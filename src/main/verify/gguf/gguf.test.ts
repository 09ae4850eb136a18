import { expect, it } from 'vitest';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';

const whole = specimen('gguf/gguf-0.19.0--model.gguf');
const aligned = specimen('gguf/gguf-0.19.0--aligned.gguf');
const at = (bytes: Buffer, text: string): number => bytes.indexOf(text);

it('what the library wrote is loaded, but for another processor’s order', async () => {
  expect(await loadAll('gguf')).toEqual({
    'gguf-0.19.0--aligned.gguf': '2 tensors, 8 numbers, 2 keys',
    'gguf-0.19.0--big-endian.gguf':
      'not loadable: its numbers are written in the order of another kind of processor',
    'gguf-0.19.0--by-fours.gguf': '3 tensors, 9 numbers, 2 keys',
    'gguf-0.19.0--model.gguf': '8 tensors, 1183 numbers, 9 keys',
    'gguf-0.19.0--vocabulary.gguf': '0 tensors, 0 numbers, 2 keys',
  });
});

it.each([1, 5, 1 << 20])('numbers are looked at in pieces of %i bytes', async (piece) => {
  expect(await load('x.gguf', aligned, piece)).toMatchObject({
    numbers: {
      scanned: 8,
      nonFinite: 2,
      affected: [{ tensor: 'a', count: 2 }],
      allZero: ['b'],
    },
  });
});

it('is found out wherever it is cut off, and zeros fill up its last page', async () => {
  // The last tensor has 28 bytes, and what fills them up to 32 is nobody’s; nor is a zero behind it.
  const filled = [0, 1, 2, 3, 4].map((bytes) => whole.length - bytes);
  expect(await passedOf('x.gguf', cutsOf(whole))).toEqual(filled.reverse());
});

it('a bit flipped where its tensors are described is never passed over', async () => {
  const from = at(whole, 'token_embd.weight') + 'token_embd.weight'.length;
  const described = 4 + 2 * 8 + 4 + 8;
  // One more or one less dimension, or another type, may make a type of it that nobody knows.
  for (const bytes of flipsOf(whole, from, from + described)) {
    expect(await load('x.gguf', bytes)).toMatch(/^(?:damaged|not loadable): /);
  }
});

it('is found out with a bit flipped in what it begins with', async () => {
  // The first bits of the version make it 2, which is laid out the same, and 1, which nobody reads.
  expect(await passedOf('x.gguf', flipsOf(whole, 0, 24))).toEqual([32, 33]);
});

function patched(offset: number, value: number | bigint): Buffer {
  const bytes = Buffer.from(whole);
  if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, offset);
  else bytes.writeUInt32LE(value, offset);
  return bytes;
}

it.each([
  ['more keys than it has room for', patched(16, 2n ** 60n), /more keys than the file has room/],
  ['more tensors than it has room for', patched(8, 2n ** 40n), /more tensors than the file/],
  [
    'an array without an end',
    patched(at(whole, 'tokenizer.ggml.tokens') + 21 + 8, 2n ** 62n),
    /its header is cut off/,
  ],
  [
    'a text without an end',
    patched(at(whole, 'general.architecture') + 20 + 4, 2n ** 63n),
    /its header is cut off/,
  ],
  ['a value of no type', patched(at(whole, 'small') + 5, 99), /the key "small" is of no type/],
  [
    'a name twice',
    Buffer.from(whole.toString('latin1').replace('blk.0.Q8_0', 'blk.0.Q4_0'), 'latin1'),
    /the tensor "blk.0.Q4_0" is there twice/,
  ],
  [
    'an overlap',
    patched(at(whole, 'output_norm.weight') + 18 + 4 + 8 + 4, 0n),
    /of the tensor "output_norm.weight", it overlaps another/,
  ],
  [
    'a hole',
    patched(at(whole, 'output_norm.weight') + 18 + 4 + 8 + 4, 2048n),
    /of the tensor "output_norm.weight", bytes before it belong to nothing/,
  ],
])('is found out with %s', async (_what, bytes, because) => {
  expect(await load('x.gguf', bytes)).toMatch(because);
});

it('zeros that fill up its last page are no damage, and nothing else is there', async () => {
  const page = Buffer.concat([whole, Buffer.alloc(4096 - (whole.length % 4096))]);
  expect(await load('x.gguf', page)).toMatchObject({ kind: 'loaded' });
  page[page.length - 1] = 1;
  expect(await load('x.gguf', page)).toMatch(/^damaged: what its header describes/);
  expect(await load('x.gguf', Buffer.concat([whole, Buffer.alloc(8192)]))).toMatch(/^damaged: /);
});

it('an alignment that is none is found out', async () => {
  const place = at(aligned, 'general.alignment') + 'general.alignment'.length + 4;
  for (const alignment of [0, 1, 12, 4096]) {
    const bytes = Buffer.from(aligned);
    bytes.writeUInt32LE(alignment, place);
    expect(await load('x.gguf', bytes)).toMatch(/^damaged/);
  }
});
