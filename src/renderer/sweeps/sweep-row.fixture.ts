import type { SweepRow } from './sweep-rows.ts';

/** A cell that is done. */
export const endedRow = (place: number, name: string, part: Partial<SweepRow> = {}): SweepRow => ({
  ...{ place, name, command: `train --out results/${name}`, box: 'alpha', boxId: 'a' },
  cell: {
    ...{ state: { kind: 'done', beganAtMs: 0, atMs: 1 }, share: 0, index: place + 1 },
    isTwice: false,
  },
  ...{ isSeenNow: true, slots: 1, cards: null, beganAtMs: 0, endedAtMs: 1 },
  ...part,
});
