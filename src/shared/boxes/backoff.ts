const FIRST_MS = 1000;
/** A box that comes back is noticed within half a minute; a dead one costs two packets a minute. */
const LONGEST_MS = 30_000;
/** Spreads the retries of many boxes behind one broken uplink. */
const JITTER = 0.2;

/** How long to wait before try number `attempt` + 1. `random` is in 0 … 1. */
export function backoffMs(attempt: number, random: number): number {
  const plain = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return Math.round(plain * (1 - JITTER + 2 * JITTER * random));
}
