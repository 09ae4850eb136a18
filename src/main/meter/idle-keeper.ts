import { mergeSpans, type IdleSpan } from '../../shared/meter/idle.ts';

/** The times in which one box did nothing, with what is not written down yet. */
export class IdleKeeper {
  #past: readonly IdleSpan[];
  #open: IdleSpan | null = null;
  /** By their beginning: one that grows while the disk refuses is in it once. */
  readonly #unwritten = new Map<number, IdleSpan>();

  constructor(stored: readonly IdleSpan[]) {
    this.#past = mergeSpans(stored);
  }

  /** Since when it has done nothing; null: it works, or nobody can tell. What nobody can tell is not idle. */
  told(sinceMs: number | null, nowMs: number): void {
    if (sinceMs === null) {
      this.end();
      return;
    }
    this.#open ??= { fromMs: sinceMs, toMs: Math.max(sinceMs, nowMs) };
  }

  /** Time passes, and somebody was watching. */
  pass(nowMs: number): void {
    if (this.#open === null || nowMs <= this.#open.toMs) return;
    this.#open = { ...this.#open, toMs: nowMs };
    this.#unwritten.set(this.#open.fromMs, this.#open);
  }

  end(): void {
    if (this.#open === null) return;
    this.#past = mergeSpans([...this.#past, this.#open]);
    this.#open = null;
  }

  get sinceMs(): number | null {
    return this.#open?.fromMs ?? null;
  }

  get spans(): readonly IdleSpan[] {
    return this.#open === null ? this.#past : mergeSpans([...this.#past, this.#open]);
  }

  get unwritten(): readonly IdleSpan[] {
    return [...this.#unwritten.values()];
  }

  written(): void {
    this.#unwritten.clear();
  }
}
