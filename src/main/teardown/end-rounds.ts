const FIRST_MS = 1000;
const SLOWER = 1.5;
const LAST_MS = 60_000;

/** Asks again and again about ends that a provider carries out: often at first, and once a minute later. */
export class EndRounds {
  readonly #ask: (boxId: string) => void;
  readonly #waiting = new Map<string, { timer: NodeJS.Timeout; everyMs: number }>();

  constructor(ask: (boxId: string) => void) {
    this.#ask = ask;
  }

  /** The next round of this box, later than the one before. */
  next(boxId: string): void {
    const before = this.#waiting.get(boxId);
    clearTimeout(before?.timer);
    const everyMs = before === undefined ? FIRST_MS : Math.min(before.everyMs * SLOWER, LAST_MS);
    const timer = setTimeout(() => this.#ask(boxId), everyMs);
    timer.unref();
    this.#waiting.set(boxId, { timer, everyMs });
  }

  end(boxId: string): void {
    clearTimeout(this.#waiting.get(boxId)?.timer);
    this.#waiting.delete(boxId);
  }

  close(): void {
    for (const boxId of this.#waiting.keys()) this.end(boxId);
  }
}
