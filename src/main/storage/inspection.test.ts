import { describe, expect, it } from 'vitest';
import { isReadError } from './inspection.ts';

// What SQLite 3.45 prints. The behaviour on real files is tested through openDatabase.
describe('isReadError', () => {
  it.each([
    ['Tree 5 page 7: unable to get the page. error code=266', true],
    ['Tree 5 page 7: unable to get the page. error code=10', true],
    ['Tree 5 page 7: unable to get the page. error code=7; row 3 missing from index x', true],
    ['Tree 5 page 7: btreeInitPage() returns error code 11', false],
    ['Tree 5 page 7: unable to get the page. error code=11', false],
    ['Tree 5 page 7: unable to get the page. error code=267', false],
    ['row 3 missing from index x', false],
  ])('of %j is %s', (complaint, expected) => {
    expect(isReadError(complaint)).toBe(expected);
  });
});
