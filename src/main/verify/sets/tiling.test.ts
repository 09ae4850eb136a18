import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTiled } from './tiling.ts';

const box = (offsets: readonly number[], sizes: readonly number[]) => ({ offsets, sizes });

it('a whole in one piece, in rows, in columns and in both', () => {
  expect(isTiled([], [box([], [])])).toBe(true);
  expect(isTiled([7, 4], [box([0, 0], [7, 4])])).toBe(true);
  expect(isTiled([7, 4], [box([0, 0], [4, 4]), box([4, 0], [3, 4])])).toBe(true);
  expect(isTiled([0, 3], [])).toBe(true);
});

it('nothing, twice the same, what reaches beyond it and more axes than anybody divides are told apart', () => {
  expect(isTiled([], [])).toBe(false);
  expect(isTiled([], [box([], []), box([], [])])).toBe(false);
  expect(isTiled([3], [])).toBe(false);
  expect(isTiled([3], [box([1], [3])])).toBe(false);
  expect(isTiled([2, 2], [box([0, 0], [2, 2]), box([0, 0], [2, 2])])).toBe(false);
  const many = Array.from({ length: 7 }, () => 2);
  expect(() =>
    isTiled(many, [
      box(
        many.map(() => 0),
        many.map(() => 1),
      ),
    ]),
  ).toThrow('divided along more sides');
});

it('as many numbers in all, but one twice and one missing, is no whole', () => {
  // Two rows that overlap by as much as is missing.
  expect(isTiled([4], [box([0], [2]), box([1], [2])])).toBe(false);
  expect(isTiled([4, 4], [box([0, 0], [2, 4]), box([2, 0], [2, 2]), box([2, 1], [2, 2])])).toBe(
    false,
  );
});

it('says the same as counting each number', () => {
  const side = fc.integer({ min: 1, max: 5 });
  const shapes = fc.array(side, { minLength: 1, maxLength: 3 });
  const inside = (shape: readonly number[]) =>
    fc
      .tuple(
        ...shape.map((length) =>
          fc
            .nat(length - 1)
            .chain((from) =>
              fc.integer({ min: 1, max: length - from }).map((size) => [from, size] as const),
            ),
        ),
      )
      .map((axes) =>
        box(
          axes.map(([from]) => from),
          axes.map(([, size]) => size),
        ),
      );
  const cases = shapes.chain((shape) =>
    fc.tuple(fc.constant(shape), fc.array(inside(shape), { minLength: 1, maxLength: 4 })),
  );
  fc.assert(
    fc.property(cases, ([shape, boxes]) => {
      const total = shape.reduce((product, length) => product * length, 1);
      const counts = Array.from({ length: total }, () => 0);
      for (const { offsets, sizes } of boxes) {
        for (let at = 0; at < total; at += 1) {
          let rest = at;
          const isIn = shape.every((length, axis) => {
            const place = rest % length;
            rest = Math.floor(rest / length);
            const from = offsets[axis] ?? 0;
            return place >= from && place < from + (sizes[axis] ?? 0);
          });
          if (isIn) counts[at] = (counts[at] ?? 0) + 1;
        }
      }
      expect(isTiled(shape, boxes)).toBe(counts.every((count) => count === 1));
    }),
  );
});
