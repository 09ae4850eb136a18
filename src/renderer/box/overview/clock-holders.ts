import type { ThrottleSpan } from '../../../shared/telemetry/throttle.ts';
import { formatQuantity } from '../../ui/format.ts';
import type { GpuFigures } from './gpu-figures.ts';
import { heldByWords } from './throttle-bands.ts';

/** The slow probe asks for the reasons every 30 s, and one answer speaks for the time until the next. */
const SPEAKS_FOR_MS = 35_000;

/**
 * What keeps the clock down at a time, in words; none of them: nothing does. dmon counts the time it was held in each second;
 * the looped query, which takes its place, asks the driver's own reasons instead. Null: nobody told.
 */
export function clockHolders(
  { powerViolationPct, isThermallyHeld }: GpuFigures,
  spans: readonly ThrottleSpan[],
  atMs: number,
): readonly string[] | null {
  if (powerViolationPct === null && isThermallyHeld === null) {
    const last = spans.filter(({ fromMs }) => fromMs <= atMs).at(-1);
    if (last === undefined || atMs - last.toMs > SPEAKS_FOR_MS) return null;
    return heldByWords(last.bits);
  }
  const isPower = powerViolationPct !== null && powerViolationPct > 0;
  return [
    ...(isPower ? [`power ${formatQuantity(powerViolationPct, '%')}`] : []),
    ...(isThermallyHeld === true ? ['heat'] : []),
  ];
}
