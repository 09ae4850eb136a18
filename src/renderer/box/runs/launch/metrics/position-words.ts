import type { RunPosition } from '../../../../../shared/runs/progress/run-metrics.ts';
import { whenWords } from '../../../../costs/run-end-words.ts';
import { formatAge, formatDuration, formatNumber } from '../../../../ui/format.ts';
import { formatFigure } from './figure.ts';

/** What share of the run is done; null: the log does not say how much there is. */
export function shareOf({ done, total, isOfRound }: RunPosition): number | null {
  return total === null || isOfRound ? null : Math.min(1, done / total);
}

/** `Step 30 of 60`, `Epoch 3 of 10`: a part that has begun counts from 1. */
export function doneWords({ unit, done, total, isOfRound, epoch }: RunPosition): string {
  const isBegun = unit === 'epoch' && total !== null;
  const part = isBegun ? Math.min(total, Math.floor(done) + 1) : Math.floor(done);
  const of = total === null ? '' : ` of ${formatNumber(total)}`;
  const words = `${unit === 'epoch' ? 'Epoch' : 'Step'} ${formatNumber(part)}${of}`;
  if (!isOfRound) return words;
  return epoch === null ? `${words} of this round` : `${words} of epoch ${formatFigure(epoch.at)}`;
}

/** `4.2 steps/s`, `3.1 s a step`; null: not seen for long enough. */
export function paceWords({ unit, perS }: Pick<RunPosition, 'unit' | 'perS'>): string | null {
  if (perS === null || perS <= 0) return null;
  return perS >= 1
    ? `${formatFigure(perS)} ${unit}s/s`
    : `${formatDuration(1000 / perS)} per ${unit}`;
}

/** `31 % slower than in the first 4 min that were followed: 3.1 steps/s then, 2.1 steps/s now`; null: it is not. */
export function slowerWords({ unit, slowdown }: RunPosition): string | null {
  if (slowdown === null) return null;
  const { firstPerS, nowPerS, firstMs, nowMs } = slowdown;
  const share = formatNumber(Math.round((1 - nowPerS / firstPerS) * 100));
  const pace = (perS: number): string => paceWords({ unit, perS }) ?? 'standing still';
  return `${share} % slower than in the first ${formatDuration(firstMs)} that were followed: ${pace(firstPerS)} then, ${pace(nowPerS)} in the last ${formatDuration(nowMs)}.`;
}

/** A run that counts nothing any more may hang: its pace was that of before. */
const SILENT_MS = 15_000;

/** `last step 20 s ago`, where it has not counted for a while; null: it goes on. */
export function silenceWords({ unit, atMs, perS }: RunPosition, nowMs: number): string | null {
  if (atMs === null) return null;
  const usualMs = perS === null || perS <= 0 ? 0 : 1000 / perS;
  const isSilent = nowMs - atMs > Math.max(SILENT_MS, 3 * usualMs);
  return isSilent ? `last ${unit} ${formatAge(nowMs - atMs)}` : null;
}

/** `about 3 min left, ends about 18:40`; null: nothing says. */
export function endWords({ end }: RunPosition, nowMs: number): string | null {
  if (end === null || end.toMs <= nowMs) return null;
  const most = formatDuration(end.toMs - nowMs);
  const least = formatDuration(Math.max(0, end.fromMs - nowMs));
  const left = least === most ? most : `${least} to ${most}`;
  return `${left} left, ends ${whenWords(end)}`;
}
