import { expect, it } from 'vitest';
import { withoutLeft } from './left-files.ts';
import type { PullFile } from './pull.ts';

const file = (path: string, more: Partial<PullFile> = {}): PullFile => ({
  ...{ path, bytes: 10, modifiedAtMs: 1, keep: 'unknown', refused: null },
  ...{ here: 'nothing', missingBytes: 10 },
  ...more,
});
const SHOWN = {
  ...{ from: '/out', to: '/home/me', bytes: 30, missingBytes: 25, freeBytes: 100 },
  files: [
    file('a'),
    file('b', { here: 'part', missingBytes: 5 }),
    file('c'),
    file('x', { refused: 'It is a link.' }),
  ],
};

it('takes out what is left, with its reason, and counts what comes', () => {
  const left = [
    { because: 'scratch', paths: ['a'] },
    { because: 'can be made again', paths: ['c'] },
  ];
  expect(withoutLeft(SHOWN, left)).toMatchObject({
    ...{ bytes: 10, missingBytes: 5 },
    files: [
      { path: 'a', left: 'scratch', refused: 'Left on the box: scratch' },
      { path: 'b', refused: null },
      { path: 'c', left: 'can be made again' },
      { path: 'x', refused: 'It is a link.' },
    ],
  });
  expect(withoutLeft(SHOWN, [])).toBe(SHOWN);
});

it.each([
  ['was not shown', [{ because: 'r', paths: ['/etc/passwd'] }]],
  // What cannot come keeps its own reason, which nobody's words take the place of.
  ['was not shown', [{ because: 'r', paths: ['x'] }]],
  ['twice', [{ because: 'r', paths: ['a', 'a'] }]],
  [
    'twice',
    [
      { because: 'r', paths: ['a'] },
      { because: 's', paths: ['a'] },
    ],
  ],
  ['All of it', [{ because: 'r', paths: ['a', 'b', 'c'] }]],
])('is no plan where %s', (why, left) => {
  expect(withoutLeft(SHOWN, left)).toContain(why);
});
