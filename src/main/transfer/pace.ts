import { waited } from './waited.ts';

export interface PaceClock {
  /** In milliseconds, and never back. */
  readonly now: () => number;
  /** Over early where the signal is. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const CLOCK: PaceClock = { now: () => performance.now(), wait: waited };

/** What was not used of the time before counts for so long: an answer that came late is made up for, an idle hour is not. */
const BURST_MS = 100;

/** A rate that all who take from it keep to together. Whoever waits here does not read on, so that the box sends no faster. */
export class Pace {
  readonly #bytesPerS: () => number | null;
  readonly #clock: PaceClock;
  #freeAtMs = -Infinity;

  /** `bytesPerS`: asked each time, since a person may change it meanwhile; null: none. */
  constructor(bytesPerS: () => number | null, clock: PaceClock = CLOCK) {
    this.#bytesPerS = bytesPerS;
    this.#clock = clock;
  }

  get bytesPerS(): number | null {
    return this.#bytesPerS();
  }

  /** Over when these bytes, which have come, fit into the rate. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const bytesPerS = this.#bytesPerS();
    if (bytesPerS === null) return;
    const nowMs = this.#clock.now();
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs - BURST_MS) + (bytes / bytesPerS) * 1000;
    const waitMs = this.#freeAtMs - nowMs;
    if (waitMs > 0) await this.#clock.wait(waitMs, signal);
  }
}

/** The least of what several allow; null: none does. */
export function slowestOf(paces: readonly Pace[]): number | null {
  const rates = paces.flatMap(({ bytesPerS }) => bytesPerS ?? []);
  return rates.length === 0 ? null : Math.min(...rates);
}

/** Of megabytes, as disks and lines count them. */
export const bytesPerS = (limitMBps: number | null): number | null =>
  limitMBps === null ? null : limitMBps * 1_000_000;
