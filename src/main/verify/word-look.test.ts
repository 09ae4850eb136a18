import { afterEach, expect, it, vi } from 'vitest';
import { BLOCK_BYTES, WordLook } from './word-look.ts';

afterEach(() => vi.unstubAllGlobals());

const [mask, step] = [[-1, 0x7fffffff] as const, [0, 0x00100000] as const];
/** Of no pattern, and the same each time; the last one is shorter than a block. */
const blocks = [16, 1000, BLOCK_BYTES, 70].map((bytes) =>
  Uint8Array.from({ length: bytes }, (_, at) => (at * at * 31 + at) & 0x7b),
);
const found = () => {
  const look = new WordLook(mask, step);
  return blocks.map((block) => ({ ...look.at(block), words: look.words.slice(0, 64) }));
};

it('without WebAssembly the same is found', () => {
  const expected = found();
  vi.stubGlobal('WebAssembly', undefined);
  expect(found()).toEqual(expected);
});

it('where its program cannot be translated the same is found', () => {
  const expected = found();
  const Module = vi.fn(() => {
    throw new Error('Wasm SIMD unsupported');
  });
  vi.stubGlobal('WebAssembly', { Module });
  expect(found()).toEqual(expected);
  expect(Module).toHaveBeenCalled();
});
