/** A timer that is late by more than this was not merely busy: this machine slept, or its clock was set. */
const JUMP_MS = 5000;

export interface Clocks {
  /** The time of day. */
  readonly now: () => number;
  /** Never set; on some systems it stands still while the machine sleeps. */
  readonly monotonic: () => number;
}

/** Notices that this machine's clock was set, or that it slept, by comparing its two clocks. */
export class LocalClock {
  readonly #clocks: Clocks;
  #offsetMs: number;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#offsetMs = clocks.now() - clocks.monotonic();
  }

  /** By how much the time of day jumped since the last call; 0: it did not. */
  jumpMs(): number {
    const offsetMs = this.#clocks.now() - this.#clocks.monotonic();
    const jump = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(jump) > JUMP_MS ? Math.round(jump) : 0;
  }
}
