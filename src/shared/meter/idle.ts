import { addExact, costOf, type Exact, type Exacts } from './exact.ts';
import type { Interval } from './interval.ts';
import type { Window } from './ledger.ts';

/** A time in which the box did nothing, by the detectors' definition. From, and up to but without. */
export interface IdleSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** In order and apart from each other: a time that was told twice is one time. */
export function mergeSpans(spans: readonly IdleSpan[]): readonly IdleSpan[] {
  const merged: IdleSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || span.fromMs > last.toMs) merged.push(span);
    else merged[merged.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
  }
  return merged;
}

/**
 * What was paid for computing while nothing computed. Storage is not wasted by that: it would be billed all the same.
 * `idle` is merged.
 */
export function idleWaste(
  effective: readonly Interval[],
  idle: readonly IdleSpan[],
  window: Window | null = null,
): { readonly sums: Exacts; readonly ms: number } {
  const sums = new Map<string, Exact>();
  let ms = 0;
  if (idle.length === 0) return { sums, ms };
  for (const line of effective) {
    if (line.phase !== 'running' || line.source === 'unresolved') continue;
    const fromMs = Math.max(line.fromMs, window?.fromMs ?? Number.NEGATIVE_INFINITY);
    const toMs = Math.min(line.fromMs + line.ms, window?.toMs ?? Number.POSITIVE_INFINITY);
    const wastedMs = idleWithin(idle, fromMs, toMs);
    if (wastedMs === 0) continue;
    ms += wastedMs;
    for (const { kind, rate } of line.charges) {
      if (kind === 'compute' && rate !== null) {
        addExact(sums, rate.currency, costOf(rate, wastedMs));
      }
    }
  }
  return { sums, ms };
}

function idleWithin(idle: readonly IdleSpan[], fromMs: number, toMs: number): number {
  let ms = 0;
  for (let i = firstEndingAfter(idle, fromMs); i < idle.length; i += 1) {
    const span = idle[i];
    if (span === undefined || span.fromMs >= toMs) break;
    ms += Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs));
  }
  return ms;
}

function firstEndingAfter(idle: readonly IdleSpan[], atMs: number): number {
  let [low, high] = [0, idle.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((idle[middle]?.toMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
