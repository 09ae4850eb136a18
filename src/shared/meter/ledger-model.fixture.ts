import type { Charge, Phase } from './interval.ts';
import type { Rate } from './rate.ts';

interface Cell {
  readonly phase: Phase;
  readonly source: 'observed' | 'inferred' | 'unresolved';
  readonly charges: readonly Charge[];
  /** The person took it out. */
  readonly isSettled?: boolean;
}

interface Life {
  readonly id: string;
  readonly upMs: number;
}

/**
 * What the ledger must say, found in another way: one cell for every single millisecond, and no interval anywhere. It knows what
 * the recorder is told and nothing more.
 */
export class LedgerModel {
  cells: Cell[] = [];
  /** Cells before this one were seen; after it, the box did not answer. */
  #unseenFrom = 0;
  #seenLife: Life | null = null;
  #seenCharges: readonly Charge[] = [];
  #phase: Phase | null = null;
  #isAnswering = false;
  #life: Life | null = null;
  #book: Readonly<Record<Phase, readonly Charge[]>>;
  #endWallMs = 0;
  #lastCharges: readonly Charge[] = [];
  /** The last time that the box began to be stopped, and the how manyth event that was. */
  #stop: { readonly atMs: number; readonly order: number } | null = null;

  constructor(
    book: Readonly<Record<Phase, readonly Charge[]>>,
    limits: { readonly watchedMs: number; readonly sameMs: number },
  ) {
    this.#book = book;
    this.#limits = limits;
  }

  readonly #limits: { readonly watchedMs: number; readonly sameMs: number };

  clone(): LedgerModel {
    const copy = new LedgerModel(this.#book, this.#limits);
    copy.cells = [...this.cells];
    copy.#unseenFrom = this.#unseenFrom;
    copy.#seenLife = this.#seenLife;
    copy.#seenCharges = this.#seenCharges;
    copy.#phase = this.#phase;
    copy.#isAnswering = this.#isAnswering;
    copy.#life = this.#life;
    copy.#endWallMs = this.#endWallMs;
    copy.#lastCharges = this.#lastCharges;
    copy.#stop = this.#stop;
    return copy;
  }

  pass(ms: number, wallMs: number): void {
    this.#endWallMs = wallMs;
    if (this.#phase === null) return;
    if (ms > this.#limits.watchedMs) this.#lookAway();
    this.#add(ms, this.#charges());
    if (this.#isAnswering) {
      this.#unseenFrom = this.cells.length;
      if (this.#life !== null) this.#life = { ...this.#life, upMs: this.#life.upMs + ms };
    }
  }

  jump(wallMs: number): void {
    this.#endWallMs = wallMs;
  }

  price(book: Readonly<Record<Phase, readonly Charge[]>>): void {
    this.#book = book;
    if (this.#phase !== null) this.#lastCharges = this.#charges();
  }

  priceOfAll(book: Readonly<Record<Phase, readonly Charge[]>>): void {
    this.cells = this.cells.map((cell) => ({ ...cell, charges: book[cell.phase] }));
    this.#seenCharges = book.running;
    this.price(book);
  }

  settle(): void {
    this.cells = this.cells.map((cell) =>
      cell.source === 'unresolved' ? { ...cell, isSettled: true } : cell,
    );
  }

  /** Null while it is not stopped. */
  get stop(): { readonly atMs: number; readonly order: number } | null {
    return this.#phase === 'stopped' ? this.#stop : null;
  }

  enter(phase: Phase, order: number): void {
    if (phase === this.#phase) return;
    this.#stop = { atMs: this.#endWallMs, order };
    if (phase !== 'running') this.#lookAway();
    this.#phase = phase;
    this.#lastCharges = this.#charges();
  }

  silent(): void {
    this.#lookAway();
  }

  answer(life: Life | null): void {
    if (this.#isAnswering) return;
    if (life !== null) this.#learn(life);
    this.#phase = 'running';
    this.#isAnswering = true;
    this.#life = life;
    this.#unseenFrom = this.cells.length;
    this.#lastCharges = this.#charges();
  }

  close(): void {
    this.#lookAway();
  }

  reopen(wallMs: number, book: Readonly<Record<Phase, readonly Charge[]>>): void {
    this.#lookAway();
    this.#book = book;
    const closedMs = wallMs - this.#endWallMs;
    this.#endWallMs = wallMs;
    if (this.#phase === null) return;
    if (closedMs > 0) this.#add(closedMs, this.#lastCharges);
    this.#lastCharges = this.#charges();
  }

  #lookAway(): void {
    if (!this.#isAnswering) return;
    this.#isAnswering = false;
    this.#seenLife = this.#life;
    this.#seenCharges = this.#charges();
    this.#unseenFrom = this.cells.length;
  }

  #charges(): readonly Charge[] {
    return this.#phase === null ? [] : this.#book[this.#phase];
  }

  #add(ms: number, charges: readonly Charge[]): void {
    const phase = this.#phase;
    if (phase === null) return;
    const source = this.#isAnswering ? 'observed' : phase === 'running' ? 'unresolved' : 'inferred';
    const cell: Cell = { phase, source, charges };
    for (let i = 0; i < ms; i += 1) this.cells.push(cell);
  }

  #learn(life: Life): void {
    const seen = this.cells.slice(0, this.#unseenFrom);
    let unseen = this.cells.slice(this.#unseenFrom);
    const isSame = this.#seenLife?.id === life.id;
    let lived = life.upMs - (isSame ? (this.#seenLife?.upMs ?? 0) : 0);
    if (isSame && Math.abs(lived - unseen.length) <= this.#limits.sameMs) lived = unseen.length;
    if (lived < 0) lived = unseen.length;
    const ran = (cell: Cell): Cell =>
      cell.isSettled === true
        ? cell
        : {
            phase: 'running',
            source: 'inferred',
            charges: cell.phase === 'running' ? cell.charges : this.#book.running,
          };
    if (isSame) {
      while (unseen.length > lived) unseen.shift();
      unseen = unseen.map(ran);
      const missing = lived - unseen.length;
      if (missing > 0) {
        const charges = this.#seenCharges;
        unseen.unshift(
          ...Array.from({ length: missing }, (): Cell => ({
            phase: 'running',
            source: 'inferred',
            charges,
          })),
        );
      }
    } else {
      unseen = unseen.map((cell, index) => (unseen.length - index <= lived ? ran(cell) : cell));
    }
    this.cells = [...seen, ...unseen];
  }

  /** Exact sums as fractions with the denominator of a month in milliseconds. */
  sums(): {
    readonly known: Readonly<Record<string, bigint>>;
    readonly unresolved: Readonly<Record<string, bigint>>;
    readonly unresolvedMs: number;
    readonly unpricedMs: number;
  } {
    const known: Record<string, bigint> = {};
    const unresolved: Record<string, bigint> = {};
    let [unresolvedMs, unpricedMs] = [0, 0];
    for (const { source, charges, isSettled } of this.cells) {
      if (isSettled === true) continue;
      const into = source === 'unresolved' ? unresolved : known;
      if (source === 'unresolved') unresolvedMs += 1;
      if (charges.some(({ rate }) => rate === null)) unpricedMs += 1;
      for (const { rate } of charges) {
        if (rate !== null) into[rate.currency] = (into[rate.currency] ?? 0n) + perMs(rate);
      }
    }
    return { known, unresolved, unresolvedMs, unpricedMs };
  }
}

/** Of a month of 730 hours. */
export const MODEL_PARTS = 2_628_000_000n;

function perMs({ micros, per }: Rate): bigint {
  return BigInt(micros) * (per === 'hour' ? 730n : 1n);
}
