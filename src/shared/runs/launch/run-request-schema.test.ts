import { expect, it } from 'vitest';
import { runRequest } from './run-request-schema.ts';

const REQUEST = {
  name: 'a run',
  command: 'python train.py\necho done',
  folder: '~/w',
  activate: null,
  env: { A: 'x y' },
  results: null,
  successLine: null,
};

it('takes a script of several lines', () => {
  expect(runRequest.parse(REQUEST)).toEqual(REQUEST);
});

it.each([
  ['a name of two lines', { name: 'a\nb' }],
  ['no name', { name: ' ' }],
  ['no command', { command: '\n' }],
  ['carriage returns (U26)', { command: 'a\r\nb' }],
  ['a NUL', { command: 'a\0b' }],
  ['a folder of nowhere', { folder: 'w' }],
  ['a folder of two lines', { folder: '/a\nb' }],
  ['somebody’s home', { folder: '~root' }],
  ['an environment of two lines', { env: { A: 'x\ny' } }],
  ['a variable that is code', { env: { 'A;rm': 'x' } }],
  ['an activation of two lines', { activate: 'a\nb' }],
  ['what it does not know', { gpu: 'H100' }],
])('refuses %s', (_what, more) => {
  expect(runRequest.safeParse({ ...REQUEST, ...more }).success).toBe(false);
});
