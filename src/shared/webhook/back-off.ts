const MINUTE_MS = 60_000;

/** How long to wait after each failed try. After the last of them it is given up: about nine hours. */
const PAUSES_MS = [0.25, 1, 5, 15, 60, 180, 300].map((minutes) => minutes * MINUTE_MS);

/** Longer is not waited for, whatever the other end asks. */
const MAX_ASKED_MS = 6 * 60 * MINUTE_MS;

/** Null: enough tries. `askedMs`: what the other end asked for in Retry-After; it can make the pause longer, not shorter. */
export function pauseAfter(tries: number, askedMs: number | null): number | null {
  const pauseMs = PAUSES_MS[tries - 1];
  if (pauseMs === undefined) return null;
  return Math.max(pauseMs, Math.min(askedMs ?? 0, MAX_ASKED_MS));
}

/** Retry-After: seconds, or a date. Null: nothing that can be read. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
