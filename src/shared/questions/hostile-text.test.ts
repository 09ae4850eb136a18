import { expect, it } from 'vitest';
import { plainLine, plainText } from './hostile-text.ts';

it.each([
  ['\u001b[31mPassword\u001b[0m: ', '[31mPassword[0m:'],
  ['a\u0000b\u0007c', 'abc'],
  ['\u202egnp.drowssap\u202c', 'gnp.drowssap'],
  ['zero\u200bwidth\u2066', 'zerowidth'],
  ['  two\twords \r\n next\u2028line ', 'two words\n nextline'],
  ['Verification code 🔑: ', 'Verification code 🔑:'],
  ['', ''],
])('takes out what cannot be seen: %j', (text, expected) => {
  expect(plainText(text, 100)).toBe(expected);
});

it('is bounded, and never cuts a character in two', () => {
  expect(plainText('🔑'.repeat(500), 3)).toBe('🔑🔑🔑…');
  expect(plainText('x'.repeat(50_000_000), 5)).toBe('xxxxx…');
  expect(plainLine('one\ntwo\n\nthree', 100)).toBe('one two three');
});
