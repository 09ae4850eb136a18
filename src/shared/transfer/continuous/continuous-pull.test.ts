import { expect, it } from 'vitest';
import { isTooFull, ROOM_KEPT_BYTES } from './continuous-pull.ts';

it('leaves room on a disk that says how much it has', () => {
  expect(isTooFull(ROOM_KEPT_BYTES + 100, 100)).toBe(false);
  expect(isTooFull(ROOM_KEPT_BYTES + 100, 101)).toBe(true);
  // Nothing to send takes no room, and nobody knows the room of a disk that does not say.
  expect(isTooFull(1, 0)).toBe(false);
  expect(isTooFull(null, 1e15)).toBe(false);
});
