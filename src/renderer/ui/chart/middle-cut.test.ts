import { expect, it } from 'vitest';
import { middleCut } from './middle-cut.ts';

it('keeps the beginning and the end of a long text', () => {
  expect(middleCut('configs/experiments/name.yaml', 16)).toBe('configs…me.yaml');
  expect(middleCut('configs/one.yaml', 16)).toBe('configs/one.yaml');
});
