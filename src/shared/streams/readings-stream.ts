import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { ReadingRing, type GpuColumns } from '../telemetry/reading-ring.ts';
import type { StreamKind } from './stream.ts';

/** One cycle of a box's GPU stream: a row per GPU that answered. */
export interface ReadingsDelta {
  readonly atMs: number;
  readonly readings: readonly GpuReading[];
}

/**
 * A box's recent samples. The rings are changed in place, because a 15-minute history must not be copied four times a
 * second; each delta gives a new outer object, so that "did anything change" stays one comparison.
 */
export interface ReadingsState {
  readonly rings: ReadonlyMap<number, ReadingRing>;
  readonly lastAtMs: number | null;
}

/** What crosses from main to the window: the rings as plain columns. */
export type ReadingsWire = readonly { readonly index: number; readonly columns: GpuColumns }[];

export const readingsStream: StreamKind<ReadingsState, ReadingsDelta> = {
  apply(state, { atMs, readings }) {
    const rings = new Map(state.rings);
    for (const reading of readings) {
      let ring = rings.get(reading.index);
      if (ring === undefined) {
        ring = new ReadingRing();
        rings.set(reading.index, ring);
      }
      ring.push(atMs, reading);
    }
    return { rings, lastAtMs: atMs };
  },
};

export function emptyReadings(): ReadingsState {
  return { rings: new Map(), lastAtMs: null };
}

export function readingsToWire(state: ReadingsState): ReadingsWire {
  return [...state.rings].map(([index, ring]) => ({ index, columns: ring.columns() }));
}

export function readingsFromWire(wire: ReadingsWire): ReadingsState {
  let lastAtMs: number | null = null;
  const rings = new Map<number, ReadingRing>();
  for (const { index, columns } of wire) {
    const ring = new ReadingRing();
    ring.load(columns);
    rings.set(index, ring);
    const newest = columns.atMs.at(-1);
    if (newest !== undefined) lastAtMs = Math.max(lastAtMs ?? newest, newest);
  }
  return { rings, lastAtMs };
}
