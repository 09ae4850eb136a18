import { expect, it } from 'vitest';
import { isSameFile } from './file-version.ts';

const KNOWN = { bytes: 10, modifiedAtMs: 5_000, stamp: '5.1 5.1 77' };

it('of a file with a stamp no clock counts, of this computer or as the box has set it', () => {
  const anHour = 3_600_000;
  for (const byMs of [-anHour, 0, anHour]) {
    const told = { ...KNOWN, modifiedAtMs: KNOWN.modifiedAtMs + byMs };
    expect(isSameFile(told, KNOWN)).toBe(true);
    // Written anew within the same size, with its time put back; or at any time that a wrong clock tells.
    for (const stamp of ['5.1 5.2 77', '5.1 5.1 78', '-3595.1 -3595.1 77']) {
      expect(isSameFile({ ...told, stamp }, KNOWN)).toBe(false);
    }
  }
});

it('a file without a stamp is none that was known by one', () => {
  const { stamp: _, ...bare } = KNOWN;
  expect(isSameFile(bare, KNOWN)).toBe(false);
});
