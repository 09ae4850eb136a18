import { describe, expect, it } from 'vitest';
import { foldBatch, type StreamKind } from './stream.ts';

const list: StreamKind<readonly string[], string> = { apply: (state, delta) => [...state, delta] };
const cursor = { seq: 2, state: ['a', 'b'] };

describe('foldBatch', () => {
  it('appends the deltas that follow', () => {
    expect(foldBatch(list, cursor, { firstSeq: 3, deltas: ['c', 'd'] })).toEqual({
      seq: 4,
      state: ['a', 'b', 'c', 'd'],
    });
  });

  it('skips what the snapshot already contains', () => {
    expect(foldBatch(list, cursor, { firstSeq: 2, deltas: ['b', 'c'] })).toEqual({
      seq: 3,
      state: ['a', 'b', 'c'],
    });
    expect(foldBatch(list, cursor, { firstSeq: 1, deltas: ['a', 'b'] })).toBe(cursor);
  });

  it('names a gap, also one told by an empty batch', () => {
    expect(foldBatch(list, cursor, { firstSeq: 4, deltas: ['d'] })).toBe('gap');
    expect(foldBatch(list, cursor, { firstSeq: 4, deltas: [] })).toBe('gap');
    expect(foldBatch(list, cursor, { firstSeq: 3, deltas: [] })).toBe(cursor);
  });
});
