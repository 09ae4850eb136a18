import { describe, expect, it } from 'vitest';
import { belongsWhere } from './belongs.ts';

describe('where what was learned belongs', () => {
  it.each([
    ['yes', 'yes', 'yes', 'everybody'],
    ['yes', 'mechanism', 'yes', 'everybody'],
    ['no', 'yes', 'yes', 'unproven'],
    ['yes', 'no', 'yes', 'unproven'],
    ['no', 'no', 'yes', 'unproven'],
    ['yes', 'yes', 'no', 'note'],
    ['no', 'no', 'no', 'note'],
  ] as const)(
    'root-caused %s, reproduced %s, general %s: %s',
    (rootCaused, reproduced, general, place) => {
      expect(belongsWhere({ rootCaused, reproduced, general }).place).toBe(place);
    },
  );
});
