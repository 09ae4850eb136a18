import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const KNOWN = ['name', 'command', 'folder', 'success_line', 'env'];

it.each([
  ['comand', 'command'],
  ['successLine', 'success_line'],
  ['Folder', 'folder'],
  ['envs', 'env'],
  ['gpu_partition', null],
  ['', null],
])('takes %j for %j', (written, meant) => {
  expect(nearestName(written, KNOWN)).toBe(meant);
});
