/** A day short of the last one that a calendar here can tell: some add the zone of a machine to it. */
export const LAST_DATE_MS = 8.64e15 - 86_400_000;

/**
 * `2026-03-28T13:00:00.000Z`. What is stored may be older than the bounds of our inputs, or damaged: a time that is none of any
 * calendar is shown as what it is, and stops nobody.
 */
export function isoUtc(atMs: number): string {
  return Math.abs(atMs) <= LAST_DATE_MS
    ? new Date(atMs).toISOString()
    : `${String(atMs)} ms since 1970`;
}

/** The same to the second, `2026-03-28T13:00:00Z`. */
export function isoUtcSeconds(atMs: number): string {
  return isoUtc(atMs).replace(/\.\d{3}Z$/, 'Z');
}
