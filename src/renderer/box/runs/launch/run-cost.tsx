import { estimateFor } from '../../../../shared/meter/estimate.ts';
import type { Charge } from '../../../../shared/meter/interval.ts';
import { aboutWords, whileWords } from '../../../../shared/meter/money-words.ts';
import { priceBook } from '../../../../shared/meter/price-book.ts';
import type { BoxMeter } from '../../../../shared/meter/box-meter.ts';
import { isOver, type LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';
import { endOf } from '../../../../shared/runs/launch/run-words.ts';
import type { TimeSpan } from '../../../../shared/runs/progress/left-time.ts';
import { usePriceAge } from '../../../costs/price-age.ts';
import { chargedUntilWords } from '../../../costs/run-end-words.ts';
import { selectEntry, selectMeter, useFleet, useMeter } from '../../../state/feeds.ts';
import { useProfile } from '../../../state/profiles.ts';
import { useClock } from '../../../ui/clock.ts';

/** What is billed while the box runs, at today's prices; null: no price of its computing was set, so that no sum would be true. */
export function useRunningCharges(boxId: string): readonly Charge[] | null {
  const meter = useMeter(selectMeter(boxId));
  const profile = useProfile(useFleet(selectEntry(boxId))?.box.platform ?? '');
  if (meter === null || meter.prices.compute === null) return null;
  return priceBook(meter.prices, profile).running;
}

/** `about $0.20 to $0.35 more`; null: the end or the price is not known. */
export function costToEndWords(
  charges: readonly Charge[] | null,
  end: TimeSpan | null,
  nowMs: number,
): string | null {
  if (charges === null || end === null || end.toMs <= nowMs) return null;
  return `${aboutWords(chargedUntilWords(charges, end, nowMs))} more`;
}

interface RunCostProps {
  readonly boxId: string;
  readonly run: LaunchedRun;
  /** Null: the box was just looked at; else when that was last. */
  readonly lastSeenMs: number | null;
}

/** What the box costs over the time of the run: several runs at once share that money. */
export function RunCost({ boxId, run, lastSeenMs }: RunCostProps) {
  const meter = useMeter(selectMeter(boxId));
  if (meter === null) return 'Reading the meter…';
  return <PricedRun boxId={boxId} run={run} lastSeenMs={lastSeenMs} meter={meter} />;
}

function PricedRun({ boxId, run, lastSeenMs, meter }: RunCostProps & { readonly meter: BoxMeter }) {
  const charges = useRunningCharges(boxId);
  const age = usePriceAge(boxId, meter);
  const words = useClock((nowMs) => {
    const ms = lastedMs(run, lastSeenMs ?? nowMs);
    if (charges === null) return 'no price set';
    if (ms === null) return 'start or end not seen';
    const isPartly = lastSeenMs !== null && !isOver(run);
    const cost = whileWords(estimateFor(charges, ms));
    return isPartly ? `at least ${cost}` : aboutWords(cost);
  });
  if (charges === null) return words;
  return (
    <span title={`The whole box over this time, at today’s price. ${age?.title ?? ''}`}>
      {words}
      {age !== null && `, ${age.words}`}
    </span>
  );
}

/** Null: when it began or ended is not known, as of one that another machine launched and that may be over. */
function lastedMs(run: LaunchedRun, seenMs: number): number | null {
  const { launchedAtMs, status } = run;
  if (status.kind === 'elsewhere') return null;
  const endMs = isOver(run) ? endOf(run) : seenMs;
  return launchedAtMs === null || endMs === null ? null : Math.max(0, endMs - launchedAtMs);
}
