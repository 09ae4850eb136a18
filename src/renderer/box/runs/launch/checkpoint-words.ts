import type { Held } from '../../../../shared/runs/checkpoints/checkpoint-name.ts';
import type { Saving } from '../../../../shared/runs/checkpoints/checkpoints.ts';
import {
  cheapestInterval,
  compareInterval,
  LEAST_WATCHED_MS,
  meanBetween,
  wholeSteps,
  type Interruptions,
} from '../../../../shared/runs/checkpoints/save-interval.ts';
import { formatCount, formatDuration, formatNumber, UNKNOWN } from '../../../ui/format.ts';

/** What a checkpoint holds: `step 500`, `epoch 3, step 100`. */
export function heldWords({ step, epoch, count }: Held): string {
  const parts = [
    ...(epoch === null ? [] : [`epoch ${formatNumber(epoch)}`]),
    ...(step === null ? [] : [`step ${formatNumber(step)}`]),
    ...(count === null ? [] : [`number ${formatNumber(count)}`]),
  ];
  return parts.length === 0 ? 'not in the name' : parts.join(', ');
}

export function cadenceWords({ everyMs, gaps }: Saving): string {
  return everyMs === null
    ? `${UNKNOWN}: fewer than 3 numbered checkpoints`
    : `every ${formatDuration(everyMs)} (median of ${formatCount(gaps, 'gap')})`;
}

export function saveTimeWords({ saveMs }: Saving): string {
  return saveMs === null
    ? `${UNKNOWN}: the files do not tell`
    : `at least ${formatDuration(saveMs)}, from its first file to its last`;
}

export function interruptionWords(interruptions: Interruptions): string {
  const { count, watchedMs } = interruptions;
  const over = `in ${formatDuration(watchedMs)} of runs`;
  if (watchedMs < LEAST_WATCHED_MS) return `${UNKNOWN}: less than 1 h of runs is known`;
  if (count === 0) return `none ${over}`;
  const mean = meanBetween(interruptions) ?? 0;
  return `${formatNumber(count)} ${over}: one every ${formatDuration(mean)}`;
}

/** How often to save; what is not known for it, where something is not. */
export function adviceWords(
  { everyMs, stepMs }: Saving,
  saveMs: number | null,
  meanMs: number | null,
): string {
  if (saveMs === null || meanMs === null) {
    const missing = [
      ...(saveMs === null ? ['how long a save takes'] : []),
      ...(meanMs === null ? ['how often this box cuts runs off'] : []),
    ];
    return `How often to save cannot be worked out: ${missing.join(' and ')} is not known.`;
  }
  const best = cheapestInterval(saveMs, meanMs);
  if (best === null) {
    return 'Saves take too long beside the time between interruptions: no interval between them is cheap.';
  }
  const steps = stepMs === null ? null : wholeSteps(best, stepMs);
  const ofSteps = steps === null ? '' : ` (${formatCount(steps, 'step')})`;
  const words = `${formatDuration(best)}${ofSteps}`;
  if (everyMs === null) return `Saving every ${words} would cost least.`;
  return compareInterval(everyMs, best) === 'near'
    ? `You save every ${formatDuration(everyMs)}, which is close to what costs least: ${words}.`
    : `You save every ${formatDuration(everyMs)}; ${words} would cost least.`;
}

/** A number that a person entered, in this unit; null: none, or not one. */
export function enteredMs(text: string, unitMs: number): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value * unitMs : null;
}
