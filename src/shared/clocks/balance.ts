import { HOUR_MS } from '../meter/rate.ts';
import type { AccountState, Due } from './clock.ts';

/** Longer than anybody keeps a balance: a burn of some cents, which is no clock. */
const FOREVER_MS = 10 * 365 * 24 * HOUR_MS;

/** When the balance is used up at what is billed now. Negative is used up, not infinitely long. */
export function balanceDue(account: AccountState | null, nowMs: number): Due {
  if (account === null) {
    return { kind: 'unknown', because: 'no balance is entered; read it at the platform' };
  }
  const leftMicros = account.balance.micros - account.spentMicros;
  if (leftMicros <= 0)
    return { kind: 'at', atMs: Math.min(nowMs, account.asOfMs), isEstimate: true };
  const burn = account.burnMicrosPerHour;
  if (burn === null) {
    return { kind: 'unknown', because: 'what is billed per hour is not known in its currency' };
  }
  const leftMs = burn <= 0 ? Number.POSITIVE_INFINITY : (leftMicros / burn) * HOUR_MS;
  if (leftMs > FOREVER_MS) return { kind: 'dormant', until: 'something is billed' };
  return { kind: 'at', atMs: Math.floor(nowMs + leftMs), isEstimate: true };
}
