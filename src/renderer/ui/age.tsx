import { useClock } from './clock.ts';
import { formatAge, formatDuration } from './format.ts';

/** `40 s ago`, ticking. */
export function Age({ atMs }: { readonly atMs: number }) {
  return useClock((nowMs) => formatAge(nowMs - atMs));
}

/** `3 s`, ticking, where the heading says that it is an age. */
export function SinceSeen({ atMs }: { readonly atMs: number }) {
  return useClock((nowMs) => formatDuration(Math.max(nowMs - atMs, 1000)));
}

/** `4 min`, growing. */
export function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  return useClock((nowMs) => formatDuration(nowMs - sinceMs));
}
