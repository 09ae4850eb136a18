/** Lets through a burst, then a steady few: for what a box may make this machine do by printing. */
export class Budget {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #atMs: number;

  constructor(burst: number, perSecond: number, nowMs: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#atMs = nowMs;
  }

  /** Whether one more is allowed at this time. A clock that was set back adds nothing and takes nothing. */
  take(nowMs: number): boolean {
    this.#fill(nowMs);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Whether the whole burst is there again, as in a new one. */
  isFull(nowMs: number): boolean {
    this.#fill(nowMs);
    return this.#left >= this.#burst;
  }

  #fill(nowMs: number): void {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000;
    this.#atMs = nowMs;
    this.#left = Math.min(this.#burst, this.#left + elapsedS * this.#perSecond);
  }
}
