import { expect, it } from 'vitest';
import { lookup3 } from './lookup3.ts';
import { flipsOf } from '../load.fixture.ts';

it.each([
  ['', 0xdeadbeef],
  ['Four score and seven years ago', 0x17770551],
])('the hash of %j is what its author says', (text, hash) => {
  expect(lookup3(Buffer.from(text))).toBe(hash);
});

it('every bit counts, wherever in a word or in the rest behind the last one it stands', () => {
  for (let length = 1; length <= 40; length += 1) {
    const whole = Buffer.from(Array.from({ length }, (_, at) => (at * 37) & 0xff));
    const others = [...flipsOf(whole, 0, length)].map((bytes) => lookup3(bytes));
    expect(others).not.toContain(lookup3(whole));
  }
});
