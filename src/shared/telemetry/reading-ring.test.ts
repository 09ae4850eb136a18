import { expect, it } from 'vitest';
import { parseDmon } from '../probes/dmon.ts';
import { ReadingRing } from './reading-ring.ts';

const [reading] = parseDmon('# gpu sm\n# Idx %\n    0     0 \n').readings;
const push = (ring: ReadingRing, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) {
    if (reading !== undefined) ring.push(at, { ...reading, smPct: at % 100 });
  }
};
const inside = (ring: ReadingRing) => {
  const { atMs, values } = ring.columns();
  return { atMs: [...atMs], smPct: [...values.smPct] };
};
const expected = (from: number, to: number) => {
  const atMs = Array.from({ length: to - from }, (_none, i) => from + i);
  return { atMs, smPct: atMs.map((at) => at % 100) };
};

it('keeps the last samples in order, however many came', () => {
  const ring = new ReadingRing(20);
  expect([ring.length, ring.oldestMs, ring.newestMs, ring.newest('smPct')]).toEqual([
    ...[0, null, null, NaN],
  ]);
  for (let count = 1; count <= 130; count += 1) {
    push(ring, count - 1, count);
    const from = Math.max(0, count - 20);
    expect(inside(ring)).toEqual(expected(from, count));
    expect([ring.length, ring.oldestMs, ring.newestMs, ring.newest('smPct')]).toEqual([
      ...[count - from, from, count - 1, (count - 1) % 100],
    ]);
  }
});

it('does the same where nobody looks meanwhile', () => {
  const ring = new ReadingRing(20);
  push(ring, 0, 130);
  expect(inside(ring)).toEqual(expected(110, 130));
});

it('changes nothing of what it has handed out', () => {
  const ring = new ReadingRing(20);
  push(ring, 0, 21);
  const { atMs, values } = ring.columns();
  push(ring, 21, 90);
  expect({ atMs: [...atMs], smPct: [...values.smPct] }).toEqual(expected(1, 21));
});

it('hands out the place where the samples lie, and for sending a copy that brings nothing else along', () => {
  const ring = new ReadingRing(20);
  push(ring, 0, 5);
  expect(ring.columns().values.smPct.buffer).toBe(ring.columns().values.smPct.buffer);
  expect(ring.copy().values.smPct.buffer.byteLength).toBe(5 * Float32Array.BYTES_PER_ELEMENT);
  expect(ring.copy().atMs.buffer.byteLength).toBe(5 * Float64Array.BYTES_PER_ELEMENT);
});

it('takes what another one gave, in place of its own', () => {
  const [ring, other] = [new ReadingRing(20), new ReadingRing(20)];
  push(ring, 0, 30);
  push(other, 100, 103);
  other.load(ring.copy());
  push(other, 30, 50);
  expect(inside(other)).toEqual(expected(30, 50));
});
