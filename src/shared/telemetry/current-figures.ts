import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { GpuReading } from './gpu-reading.ts';

/** Samples come once a second; a newest one older than this is the past, not the present. */
export const FRESH_MS = 5000;

type NumericField = {
  [K in keyof GpuReading]: GpuReading[K] extends number | null ? K : never;
}[keyof GpuReading];

/** The readings that still describe the present; null when there are none. */
export function readCurrent(entry: FleetEntry, nowMs: number): readonly GpuReading[] | null {
  const { latest, link } = entry;
  if (latest === null || link.kind !== 'up' || nowMs - latest.atMs > FRESH_MS) return null;
  return latest.readings;
}

/** Whether every card works now, or none does; null: some do, one does not tell, or nothing fresh is known. */
export function judgeWork(entry: FleetEntry, nowMs: number): boolean | null {
  const loads = (readCurrent(entry, nowMs) ?? []).map(({ smPct }) => smPct);
  if (loads.length === 0 || loads.includes(null)) return null;
  const working = loads.filter((load) => load !== 0).length;
  return working === loads.length ? true : working === 0 ? false : null;
}

/** The values that were reported; the others are left out, not counted as 0. */
export function reported(readings: readonly GpuReading[], field: NumericField): readonly number[] {
  return readings.flatMap((reading) => {
    const value = reading[field];
    return value === null ? [] : [value];
  });
}

/** The mean over the GPUs that report; null when none does. */
export function meanOf(readings: readonly GpuReading[], field: NumericField): number | null {
  const values = reported(readings, field);
  return values.length === 0 ? null : sum(values) / values.length;
}

/** The sum over all GPUs; null unless every one reports, because part of a sum reads like the whole. */
export function sumOf(readings: readonly GpuReading[], field: NumericField): number | null {
  const values = reported(readings, field);
  return values.length === 0 || values.length < readings.length ? null : sum(values);
}

export function maxOf(readings: readonly GpuReading[], field: NumericField): number | null {
  const values = reported(readings, field);
  return values.length === 0 ? null : Math.max(...values);
}

/** Adds up a fact of each GPU; null when one is unknown. */
export function sumOrNull(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length === 0 ? null : total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
