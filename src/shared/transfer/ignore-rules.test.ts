import { expect, it } from 'vitest';
import { ignoredBy } from './ignore-rules.ts';
import { ruleError } from './rule-error.ts';

it.each([
  ['data/', 'data/a.bin', true],
  ['data/', 'src/data/a.bin', true],
  ['data/', 'data', false],
  ['/data/', 'src/data/a.bin', false],
  ['*.ckpt', 'a/b/last.ckpt', true],
  ['*.ckpt', 'a.ckpt.txt', false],
  ['a/*.txt', 'a/b.txt', true],
  ['a/*.txt', 'a/b/c.txt', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['**/z', 'x/z', true],
  ['?.py', 'a.py', true],
  ['?.py', 'ab.py', false],
  ['out', 'out/x', true],
  ['é*', 'é 1', true],
  ['a.c', 'abc', false],
])('by %j, %j is left out: %j', (rule, path, isOut) => {
  expect(ignoredBy([rule])(path)).toBe(isOut);
});

it('takes no longer for a pattern of stars', () => {
  expect(ignoredBy([`${'*a'.repeat(90)}b`])('a'.repeat(2000))).toBe(false);
});

it('refuses what would say something else than it seems', () => {
  expect(ruleError('!keep.txt')).not.toBeNull();
  expect(ruleError('/')).not.toBeNull();
  expect(ruleError('**')).not.toBeNull();
  expect(ruleError('data/')).toBeNull();
});
