import { describe, expect, it } from 'vitest';
import type { BoxFile } from '../../../shared/files/box-file.ts';
import { keyed } from '../../../shared/files/sort-files.ts';
import { chooseAll, chooseOne, extendTo, goTo, rowByName, targetOf, toggle } from './selection.ts';

const rows = keyed(
  ['alpha', 'beta', 'best.pt', 'Gamma', 'zeta'].map((name): BoxFile => ({
    ...{ name, kind: 'file', sizeBytes: 1, modifiedAtMs: 1, mode: 0o644 },
    hasUsableName: true,
  })),
);
const ids = (from: { readonly ids: ReadonlySet<number> }): number[] => [...from.ids].sort();

describe('what is chosen of a folder', () => {
  it('is one, one more, a range from where it began in both directions, or all', () => {
    const two = toggle(chooseOne(1), 3);
    expect(ids(two)).toEqual([1, 3]);
    expect(ids(toggle(two, 1))).toEqual([3]);
    expect(goTo(two, 0)).toMatchObject({ active: 0, ids: two.ids });
    const down = extendTo(rows, chooseOne(1), 3);
    expect(ids(down)).toEqual([1, 2, 3]);
    expect(ids(extendTo(rows, down, 0))).toEqual([0, 1]);
    expect(ids(chooseAll(rows, down))).toEqual([0, 1, 2, 3, 4]);
  });

  it('begins anew where the row that a range began at is gone', () => {
    expect(ids(extendTo(rows.slice(2), chooseOne(0), 4))).toEqual([4]);
  });
});

describe('the keys of a folder', () => {
  it('stop at both ends, also from nowhere, and lead nowhere in an empty one', () => {
    expect(targetOf('ArrowDown', -1, 5, 3)).toBe(0);
    expect(targetOf('ArrowUp', -1, 5, 3)).toBe(0);
    expect(targetOf('ArrowDown', 4, 5, 3)).toBe(4);
    expect(targetOf('PageDown', 3, 5, 3)).toBe(4);
    expect(targetOf('PageUp', 1, 5, 3)).toBe(0);
    expect(targetOf('End', 0, 5, 3)).toBe(4);
    expect(targetOf('Home', 0, 0, 3)).toBeNull();
    expect(targetOf('x', 0, 5, 3)).toBeNull();
  });

  it('find names: one letter goes on to the next, more of them stay where they fit', () => {
    expect(rowByName(rows, 0, 'b')).toBe(1);
    expect(rowByName(rows, 1, 'b')).toBe(2);
    expect(rowByName(rows, 2, 'b')).toBe(1);
    expect(rowByName(rows, 1, 'be')).toBe(1);
    expect(rowByName(rows, 1, 'bes')).toBe(2);
    expect(rowByName(rows, -1, 'g')).toBe(3);
    expect(rowByName(rows, 0, 'x')).toBeNull();
  });
});
