import { expect, it } from 'vitest';
import { unpackLzf } from './lzf.ts';

it('letters, and what stood before them, are unpacked', () => {
  // "ab", then eight more from two before.
  const packed = Uint8Array.from([1, 0x61, 0x62, 0xc0, 1]);
  expect(Buffer.from(unpackLzf(packed, 100) ?? []).toString()).toBe('ababababab');
  expect(unpackLzf(packed, 9)).toBeNull();
  expect(unpackLzf(Uint8Array.from([0xc0, 1]), 100)).toBeNull();
  for (let bytes = 1; bytes < packed.length; bytes += 1) {
    if (bytes !== 3) expect(unpackLzf(packed.subarray(0, bytes), 100)).toBeNull();
  }
});
