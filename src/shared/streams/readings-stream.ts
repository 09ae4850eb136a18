import { addThrottleSample, type ThrottleSpan } from '../telemetry/throttle.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { ReadingRing, type GpuColumns } from '../telemetry/reading-ring.ts';
import type { StreamKind } from './stream.ts';

/** One cycle of a box's GPU stream: a row per GPU that answered. */
export interface ReadingsCycle {
  readonly atMs: number;
  readonly readings: readonly GpuReading[];
}

export type ReadingsDelta =
  | ({ readonly kind: 'cycle' } & ReadingsCycle)
  /** Which card has which index from now on: after the first look, a reboot, or the loss of a card. */
  | { readonly kind: 'cards'; readonly cards: readonly Card[] }
  /** What the slow probe found; the looped query brings the same with each reading. */
  | {
      readonly kind: 'throttle';
      readonly atMs: number;
      readonly samples: readonly ThrottleSample[];
    };

export interface Card {
  readonly index: number;
  readonly uuid: string;
}

interface ThrottleSample {
  readonly index: number;
  readonly bits: number;
  /** The card was gone or started again since the sample before. */
  readonly isAnew: boolean;
}

/** One card's recent past. */
export interface GpuPast {
  readonly uuid: string | null;
  readonly ring: ReadingRing;
  readonly throttle: readonly ThrottleSpan[];
}

/**
 * A box's recent samples. The rings are changed in place, because a 15-minute history must not be copied four times a
 * second; each delta gives a new outer object, so that "did anything change" stays one comparison. The map is another one
 * only where a card or its reasons changed.
 */
export interface ReadingsState {
  readonly gpus: ReadonlyMap<number, GpuPast>;
  readonly lastAtMs: number | null;
}

/** What crosses from main to the window: the rings as plain columns. */
export type ReadingsWire = readonly {
  readonly index: number;
  readonly uuid: string | null;
  readonly columns: GpuColumns;
  readonly throttle: readonly ThrottleSpan[];
}[];

/** As far back as the rings reach at one change of reasons per second. */
const MAX_SPANS = 900;

export const readingsStream: StreamKind<ReadingsState, ReadingsDelta> = {
  apply(state, delta) {
    switch (delta.kind) {
      case 'cycle':
        return addCycle(state, delta);
      case 'cards':
        return { ...state, gpus: placeCards(state.gpus, delta.cards) };
      case 'throttle': {
        const gpus = new Map(state.gpus);
        for (const sample of delta.samples) addThrottle(gpus, delta.atMs, sample);
        return { ...state, gpus };
      }
    }
  },
};

function addCycle(state: ReadingsState, { atMs, readings }: ReadingsCycle): ReadingsState {
  let changed: Map<number, GpuPast> | null = null;
  for (const reading of readings) {
    const { index, throttleBits: bits } = reading;
    let gpu = (changed ?? state.gpus).get(index);
    if (gpu === undefined) {
      gpu = { uuid: null, ring: new ReadingRing(), throttle: [] };
      (changed ??= new Map(state.gpus)).set(index, gpu);
    }
    gpu.ring.push(atMs, reading);
    if (bits === null) continue;
    addThrottle((changed ??= new Map(state.gpus)), atMs, { index, bits, isAnew: false });
  }
  return { gpus: changed ?? state.gpus, lastAtMs: atMs };
}

function addThrottle(
  gpus: Map<number, GpuPast>,
  atMs: number,
  { index, bits, isAnew }: ThrottleSample,
): void {
  const gpu = gpus.get(index);
  if (gpu === undefined) return;
  const throttle = addThrottleSample(gpu.throttle, atMs, bits, isAnew).slice(-MAX_SPANS);
  gpus.set(index, { ...gpu, throttle });
}

/** A past belongs to its card: it moves with the card's index, and another card at that index begins with none. */
function placeCards(
  gpus: ReadonlyMap<number, GpuPast>,
  cards: readonly Card[],
): ReadonlyMap<number, GpuPast> {
  const byUuid = new Map<string, GpuPast>();
  for (const gpu of gpus.values()) if (gpu.uuid !== null) byUuid.set(gpu.uuid, gpu);
  const placed = new Map<number, GpuPast>();
  for (const { index, uuid } of cards) {
    const unnamed = gpus.get(index);
    const past = byUuid.get(uuid) ?? (unnamed?.uuid === null ? unnamed : undefined);
    placed.set(index, { ...(past ?? { ring: new ReadingRing(), throttle: [] }), uuid });
  }
  // A lost card is listed no more; its past stays until another card has its index.
  for (const [index, gpu] of gpus) {
    const isElsewhere = cards.some(({ uuid }) => uuid === gpu.uuid);
    if (!placed.has(index) && !isElsewhere) placed.set(index, gpu);
  }
  return new Map([...placed].sort(([a], [b]) => a - b));
}

export function emptyReadings(): ReadingsState {
  return { gpus: new Map(), lastAtMs: null };
}

export function readingsToWire(state: ReadingsState): ReadingsWire {
  return [...state.gpus].map(([index, { uuid, ring, throttle }]) => ({
    index,
    uuid,
    columns: ring.copy(),
    throttle,
  }));
}

export function readingsFromWire(wire: ReadingsWire): ReadingsState {
  let lastAtMs: number | null = null;
  const gpus = new Map<number, GpuPast>();
  for (const { index, uuid, columns, throttle } of wire) {
    const ring = new ReadingRing();
    ring.load(columns);
    gpus.set(index, { uuid, ring, throttle });
    const newest = columns.atMs.at(-1);
    if (newest !== undefined) lastAtMs = Math.max(lastAtMs ?? newest, newest);
  }
  return { gpus, lastAtMs };
}
