import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { sourceOf } from '../load.fixture.ts';
import type { ZarrArray } from './array-metadata.ts';
import { readBlosc } from './blosc.ts';
import { checkChunk } from './chunks.ts';

const MOST = 64 * 1024 * 1024;
const [BLOSCLZ, LZ4, ZLIB] = [0, 1, 3];

interface Claimed {
  readonly how: number;
  readonly bytes: number;
  readonly blockBytes: number;
  /** Where each block begins, from behind the list of them on. */
  readonly blocks: readonly number[];
  readonly content: Uint8Array;
}

/** As its head says, whatever lies behind it. */
function blosc({ how, bytes, blockBytes, blocks, content }: Claimed): Buffer {
  const firstAt = 16 + 4 * blocks.length;
  const head = Buffer.from([2, 1, (how << 5) | 0x10, 1]);
  const numbers = [
    bytes,
    blockBytes,
    firstAt + content.length,
    ...blocks.map((at) => firstAt + at),
  ];
  return Buffer.concat([head, Buffer.from(Uint32Array.from(numbers).buffer), content]);
}

function part(packed: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([length, packed]);
}

const zeros = part(deflateSync(Buffer.alloc(1000)));
const whole = blosc({ how: ZLIB, bytes: 1000, blockBytes: 1000, blocks: [0], content: zeros });

it('what was packed is unpacked, and found out where it becomes another length', () => {
  expect(readBlosc(whole, MOST)).toEqual({ bytes: 1000, isUnpacked: true });
  const shorter = { how: ZLIB, bytes: 999, blockBytes: 999, blocks: [0], content: zeros };
  expect(() => readBlosc(blosc(shorter), MOST)).toThrow(/cannot be unpacked/);
});

it('blocks may come in any order, and none lies over another', () => {
  const two = { how: ZLIB, bytes: 2000, blockBytes: 1000, content: Buffer.concat([zeros, zeros]) };
  expect(readBlosc(blosc({ ...two, blocks: [zeros.length, 0] }), MOST).bytes).toBe(2000);
  const three = { ...two, bytes: 3000, blocks: [0, 0, 0] };
  expect(() => readBlosc(blosc(three), MOST)).toThrow(
    'what is compressed in it cannot be unpacked',
  );
});

it('a head that claims four GiB has nothing unpacked for it', () => {
  const bytes = 2 ** 32 - 1;
  const bomb = part(deflateSync(Buffer.alloc(MOST + 1)));
  const claimed = blosc({ how: ZLIB, bytes, blockBytes: bytes, blocks: [0], content: bomb });
  expect(readBlosc(claimed, MOST)).toEqual({ bytes, isUnpacked: false });
  // As many blocks as bytes: their list alone would be longer than the chunk.
  const many = blosc({ how: LZ4, bytes: MOST, blockBytes: 1, blocks: [0], content: bomb });
  expect(() => readBlosc(many, MOST)).toThrow(/cannot be unpacked/);
});

const ARRAY: ZarrArray = {
  ...{ shape: [1000], chunk: [1000], elementBytes: 1, packing: [{ kind: 'blosc' }] },
  ...{ sharding: null, lead: '', separator: '.' },
};

it('what is packed in a way that is not unpacked is not called unpacked', () => {
  expect(checkChunk(sourceOf(whole), ARRAY)).toBe('unpacked');
  const other = { how: BLOSCLZ, bytes: 1000, blockBytes: 1000, blocks: [0], content: zeros };
  expect(checkChunk(sourceOf(blosc(other)), ARRAY)).toBe('not unpacked');
  // Nobody knows how long it should be.
  const plain = { ...ARRAY, elementBytes: null, packing: [] };
  expect(checkChunk(sourceOf(Buffer.alloc(7)), plain)).toBe('not unpacked');
});
