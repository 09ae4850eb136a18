import { NotLoadable } from '../damage.ts';

/** Corners double with each axis along which something is divided; no library divides along more. */
const MAX_AXES = 6;

interface Box {
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
}

/**
 * Whether boxes make up the whole of a shape: no hole, no overlap. Each corner of a box counts as one more or one less, by turns along
 * each axis; added up, only the corners of the whole are left. So it takes as long as there are boxes, and not as there are pairs of them.
 */
export function isTiled(shape: readonly number[], boxes: readonly Box[]): boolean {
  const isInside = ({ offsets, sizes }: Box): boolean =>
    shape.every((side, axis) => (offsets[axis] ?? 0) + (sizes[axis] ?? 0) <= side);
  if (!boxes.every(isInside)) return false;
  // There is nothing to make up.
  if (shape.includes(0)) return true;
  const divided = shape.flatMap((side, axis) =>
    boxes.every(({ sizes }) => sizes[axis] === side) ? [] : [axis],
  );
  if (divided.length > MAX_AXES) {
    throw new NotLoadable('its tensors are divided along more sides than Leasehold looks at');
  }
  const corners = new Map<string, number>();
  const add = ({ offsets, sizes }: Box, sign: number): void => {
    for (let corner = 0; corner < 2 ** divided.length; corner += 1) {
      let turn = sign;
      const place = divided.map((axis, no) => {
        const isEnd = (corner & (1 << no)) !== 0;
        if (isEnd) turn = -turn;
        return (offsets[axis] ?? 0) + (isEnd ? (sizes[axis] ?? 0) : 0);
      });
      const key = place.join();
      corners.set(key, (corners.get(key) ?? 0) + turn);
    }
  };
  for (const box of boxes) add(box, 1);
  add({ offsets: shape.map(() => 0), sizes: shape }, -1);
  return [...corners.values()].every((count) => count === 0);
}
