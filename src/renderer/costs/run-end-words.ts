import type { Clock } from '../../shared/clocks/clock.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { estimateFor } from '../../shared/meter/estimate.ts';
import type { Charge } from '../../shared/meter/interval.ts';
import { whileWords } from '../../shared/meter/money-words.ts';
import type { RunOutlook } from '../../shared/patrol/run-end.ts';
import type { TimeSpan } from '../../shared/runs/progress/left-time.ts';
import { formatDate, formatNumber } from '../ui/format.ts';

/** A range narrower than a minute would be written as one moment anyway. */
const NARROW_MS = 60_000;

/** `between 29 Mar 2026, 18:40 and 29 Mar 2026, 19:20`. */
export function whenWords({ fromMs, toMs }: TimeSpan): string {
  if (toMs - fromMs < NARROW_MS) return `about ${formatDate(toMs)}`;
  return `between ${formatDate(fromMs)} and ${formatDate(toMs)}`;
}

/** `step 123 of 500`, `epoch 3 of 10`: a part that has begun counts from 1. */
export function progressWords({ unit, atLeast, total }: RunOutlook['progress']): string {
  const part = unit === 'epoch' ? Math.min(total, Math.floor(atLeast) + 1) : atLeast;
  return `${unit} ${formatNumber(part)} of ${formatNumber(total)}`;
}

/** What is billed from now until then, in the phase that the box is in; null: not known. */
export function costUntilWords(
  { phase, charges }: BoxMeter,
  end: TimeSpan,
  nowMs: number,
): string | null {
  return phase === null ? null : chargedUntilWords(charges, end, nowMs);
}

/** `$0.20 to $0.35`: what these come to until then. */
export function chargedUntilWords(
  charges: readonly Charge[],
  { fromMs, toMs }: TimeSpan,
  nowMs: number,
): string {
  const wordsUntil = (atMs: number): string =>
    whileWords(estimateFor(charges, Math.max(0, atMs - nowMs)));
  const [least, most] = [wordsUntil(fromMs), wordsUntil(toMs)];
  return least === most ? most : `${least} to ${most}`;
}

/** When a scheduler ends its jobs, where it said so: the first and the last of them; null: none did. */
export function jobEnds(clocks: readonly Clock[]): TimeSpan | null {
  const ends = clocks.flatMap(({ danger, known, due }) =>
    danger !== 'none' && known.kind === 'measured' && due.kind === 'at' ? [due.atMs] : [],
  );
  return ends.length === 0 ? null : { fromMs: Math.min(...ends), toMs: Math.max(...ends) };
}
