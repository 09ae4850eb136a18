import { expect, it } from 'vitest';
import { findFault, findPattern } from './find-pattern.ts';

it.each([
  ['ckpt', '*ckpt*'],
  ['*.pt', '*.pt'],
  ['step-?', 'step-?'],
  ['seed[0-3]', 'seed[0-3]'],
  ['a\\b', '*a\\\\b*'],
  ['.', '*.*'],
])('%s is looked for as %s', (typed, pattern) => {
  expect(findFault(typed)).toBeNull();
  expect(findPattern(typed)).toBe(pattern);
});

it('what no name holds is not looked for', () => {
  expect(findFault('runs/seed')).toContain('“/”');
  expect(findFault(' ')).not.toBeNull();
  expect(findFault('two\nlines')).not.toBeNull();
});
