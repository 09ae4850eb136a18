import type { GapReason, HistoryGap } from '../../shared/telemetry/history.ts';

/** Longer without a sample is a gap. A looped query on a big box may take some seconds. */
const GAP_MS = 10_000;

/** Why there were no samples, from a moment on. */
interface Reason {
  readonly fromMs: number;
  readonly reason: GapReason;
}

/** In these nobody tried: what comes next is another silence. */
const UNTRIED: readonly GapReason[] = ['app-closed', 'not-connected'];

/** The reasons of one silence, each for its own time: a link that is down today was not the reason while Leasehold was closed. */
export class Silence {
  #reasons: readonly Reason[];

  constructor(reason: GapReason) {
    this.#reasons = [{ fromMs: -Infinity, reason }];
  }

  /**
   * The first word counts, except that a restart and a clock explain more than a lost link does. `coversMs`: as much of the silence as is
   * explained; the clock of a machine that slept for a night is no reason for a month.
   */
  explain(reason: GapReason, atMs: number, lastMs: number | null, coversMs = Infinity): void {
    const last = this.#reasons.at(-1);
    const fromMs = last === undefined ? -Infinity : atMs;
    const isStronger = reason === 'clock-jump' || reason === 'box-restarted';
    if (last === undefined || UNTRIED.includes(last.reason) || UNTRIED.includes(reason)) {
      if (last?.reason !== reason) this.#reasons = [...this.#reasons, { fromMs, reason }];
    } else if (isStronger && coversMs >= (atMs - Math.max(last.fromMs, lastMs ?? 0)) / 2) {
      this.#reasons = [...this.#reasons.slice(0, -1), { ...last, reason }];
    }
  }

  end(): void {
    this.#reasons = [];
  }

  gaps(fromMs: number, toMs: number): readonly HistoryGap[] {
    if (toMs - fromMs <= GAP_MS) return [];
    const gaps: HistoryGap[] = [];
    const reasons =
      this.#reasons.length === 0 ? [{ fromMs, reason: 'unknown' as const }] : this.#reasons;
    for (const [at, { fromMs: begins, reason }] of reasons.entries()) {
      const gap = {
        fromMs: Math.max(begins, fromMs),
        toMs: Math.min(reasons[at + 1]?.fromMs ?? toMs, toMs),
        reason,
      };
      const before = gaps.at(-1);
      if (gap.toMs - gap.fromMs > GAP_MS || (before === undefined && at === reasons.length - 1))
        gaps.push(gap);
      else if (before !== undefined) gaps.splice(-1, 1, { ...before, toMs: gap.toMs });
    }
    return gaps;
  }
}
