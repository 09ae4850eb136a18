import { expect, it } from 'vitest';
import {
  isSameProcess,
  parseProcessKey,
  parseProcessRefKey,
  processKey,
  processRefKey,
  processRefOf,
} from './process-ref.ts';
import { processRef } from './process-ref-schema.ts';

const REF = { bootId: 'b1', pid: 41, startTicks: 500 };

it.each([
  ['the same', REF, true],
  ['another number', { ...REF, pid: 42 }, false],
  ['the number, begun later', { ...REF, startTicks: 501 }, false],
  ['the same in another life of the machine', { ...REF, bootId: 'b2' }, false],
  ['the same, where the life is not known', { ...REF, bootId: null }, true],
  ['the same in one look', { pid: 41, startTicks: 500 }, true],
])('tells %s', (_what, other, isSame) => {
  expect([isSameProcess(REF, other), isSameProcess(other, REF)]).toEqual([isSame, isSame]);
});

it('has a key, which leads back', () => {
  expect(processKey(REF)).toBe('41/500');
  expect(parseProcessKey('41/500')).toEqual({ pid: 41, startTicks: 500 });
  for (const key of ['41', '41/', '/500', '41/500 1', '41/x', '']) {
    expect(parseProcessKey(key)).toBeNull();
  }
});

it('has a key over all lives of the machine, which leads back', () => {
  for (const ref of [REF, { ...REF, bootId: null }]) {
    expect(parseProcessRefKey(processRefKey(ref))).toEqual(ref);
  }
  expect(processRefKey(REF)).not.toBe(processRefKey({ ...REF, bootId: 'b2' }));
  // As an older Leasehold kept it.
  expect(processRefKey({ ...REF, bootId: null })).toBe('41/500');
  for (const key of ['41/500@', '41@b1', '@b1', '']) expect(parseProcessRefKey(key)).toBeNull();
});

it('goes to main as nothing but its name, and is read without the life that an older Leasehold did not keep', () => {
  const run = { ...REF, command: 'python train.py' };
  expect(processRef.parse(processRefOf(run))).toEqual(REF);
  expect(processRef.parse({ pid: 41, startTicks: 500 })).toEqual({ ...REF, bootId: null });
  expect(processRef.safeParse({ ...REF, pid: -1 }).success).toBe(false);
});
