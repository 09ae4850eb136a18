/** A run that has become slower than it was at its own beginning. */
export interface Slowdown {
  /** Parts a second: over its first minutes that were followed, and over the newest. */
  readonly firstPerS: number;
  readonly nowPerS: number;
  /** How long each of the two was measured. */
  readonly firstMs: number;
  readonly nowMs: number;
}

/** What is made ready first is slower than any step after it. */
const SKIPPED = 2;
/** Pieces of time in which it moved. The middle one counts, so that an evaluation or a checkpoint among them makes no difference. */
const PIECES = 15;
const LEAST_PIECE_MS = 2000;
/** Of that many pieces, shorter ones say little of a card that grows hot. */
const LEAST_OVER_MS = 60_000;
/** Throttling takes 25 to 40 % (U23); loops vary by less than this from minute to minute. */
const TOLD_FROM_SHARE = 0.2;

interface Piece {
  readonly perS: number;
  readonly ms: number;
}

/** Follows how long a step of one run takes, by the time at which its lines came. Knows no clock. */
export class StepPace {
  #since: { readonly atMs: number; readonly done: number } | null = null;
  #skipped = 0;
  #first: Piece[] = [];
  #newest: Piece[] = [];

  /** `done`: parts, counted over the whole run. */
  take(atMs: number, done: number): void {
    const since = this.#since;
    if (since === null || done < since.done) {
      // It went on from a checkpoint: the time between was no step.
      this.#since = { atMs, done };
      return;
    }
    const ms = atMs - since.atMs;
    if (done === since.done || ms < LEAST_PIECE_MS) return;
    this.#since = { atMs, done };
    if (this.#skipped < SKIPPED) {
      this.#skipped += 1;
      return;
    }
    const piece = { perS: ((done - since.done) / ms) * 1000, ms };
    if (!isEnough(this.#first)) {
      this.#first.push(piece);
      return;
    }
    this.#newest.push(piece);
    while (isEnough(this.#newest.slice(1))) this.#newest.shift();
  }

  /** Null: it is about as fast as it was, or too little was followed to say. */
  get slowdown(): Slowdown | null {
    if (!isEnough(this.#first) || !isEnough(this.#newest)) return null;
    const [firstPerS, nowPerS] = [middle(this.#first), middle(this.#newest)];
    if (nowPerS > firstPerS * (1 - TOLD_FROM_SHARE)) return null;
    return { firstPerS, nowPerS, firstMs: timeOf(this.#first), nowMs: timeOf(this.#newest) };
  }
}

const timeOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { ms }) => sum + ms, 0);

const isEnough = (pieces: readonly Piece[]): boolean =>
  pieces.length >= PIECES && timeOf(pieces) >= LEAST_OVER_MS;

function middle(pieces: readonly Piece[]): number {
  const speeds = pieces.map(({ perS }) => perS).sort((a, b) => a - b);
  return speeds[Math.floor(speeds.length / 2)] ?? 0;
}
