import type { Held } from '../../../../shared/runs/checkpoints/checkpoint-name.ts';
import type { Figures } from '../../../../shared/runs/checkpoints/save-words.ts';
import { formatCount, formatDuration, formatNumber } from '../../../ui/format.ts';

/** As the window writes them. */
export const FIGURES: Figures = { duration: formatDuration, count: formatCount };

/** What a checkpoint holds: `step 500`, `epoch 3, step 100`. */
export function heldWords({ step, epoch, count }: Held): string {
  const parts = [
    ...(epoch === null ? [] : [`epoch ${formatNumber(epoch)}`]),
    ...(step === null ? [] : [`step ${formatNumber(step)}`]),
    ...(count === null ? [] : [`number ${formatNumber(count)}`]),
  ];
  return parts.length === 0 ? 'not in the name' : parts.join(', ');
}

/** A number that a person entered, in this unit; null: none, or not one. */
export function enteredMs(text: string, unitMs: number): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value * unitMs : null;
}
