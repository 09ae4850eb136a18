import { Budget } from '../../shared/terminal/budget.ts';

/** An ordinary day has far fewer of one kind; what a box can cause without end must not take the place of all else. */
const OF_ONE_KIND = { burst: 500, perSecond: 1 / 30 };
/** Whatever makes up kinds without end has the room of one. */
const MAX_KINDS = 500;
const OTHERS = 'other kinds';
/** Looking for kinds that are over costs a step for each, and whoever makes up kinds could ask for it without end. */
const SWEEP_EVERY_MS = 1000;

interface Kind {
  readonly budget: Budget;
  leftOut: number;
}

/** Counts entries of one kind, which a hostile box may cause as often as it likes. */
export class Repeats {
  readonly #kinds = new Map<string, Kind>();
  #sweptAtMs = -Infinity;

  /** How many before it were left out, if this one is written; null: it is left out as well. */
  take(kind: string, nowMs: number): number | null {
    const counted = this.#of(kind, nowMs);
    if (!counted.budget.take(nowMs)) {
      counted.leftOut += 1;
      return null;
    }
    const { leftOut } = counted;
    counted.leftOut = 0;
    return leftOut;
  }

  /** What was left out and is not told yet, by its kind; from now on it counts as told. */
  takeLeftOut(): readonly (readonly [string, number])[] {
    const found: (readonly [string, number])[] = [];
    for (const [name, kind] of this.#kinds) {
      if (kind.leftOut > 0) found.push([name, kind.leftOut]);
      kind.leftOut = 0;
    }
    return found;
  }

  /** Forgets those that a new one would be no different from. */
  #sweep(nowMs: number): void {
    if (Math.abs(nowMs - this.#sweptAtMs) < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [name, { budget, leftOut }] of this.#kinds) {
      if (leftOut === 0 && budget.isFull(nowMs)) this.#kinds.delete(name);
    }
  }

  #of(kind: string, nowMs: number): Kind {
    if (this.#kinds.size >= MAX_KINDS && !this.#kinds.has(kind)) this.#sweep(nowMs);
    const key = this.#kinds.has(kind) || this.#kinds.size < MAX_KINDS ? kind : OTHERS;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const budget = new Budget(OF_ONE_KIND.burst, OF_ONE_KIND.perSecond, nowMs);
    const made = { budget, leftOut: 0 };
    this.#kinds.set(key, made);
    return made;
  }
}
