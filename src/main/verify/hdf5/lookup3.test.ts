import { expect, it } from 'vitest';
import { lookup3 } from './lookup3.ts';

it.each([
  ['', 0xdeadbeef],
  ['Four score and seven years ago', 0x17770551],
])('the hash of %j is what its author says', (text, hash) => {
  expect(lookup3(Buffer.from(text))).toBe(hash);
});
