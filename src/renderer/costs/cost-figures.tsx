import type { BoxMeter, Period, Spent } from '../../shared/meter/box-meter.ts';
import type { Estimate } from '../../shared/meter/estimate.ts';
import { addSpent, spentAt } from '../../shared/meter/live.ts';
import type { RunCost } from '../../shared/meter/run-costs.ts';
import { useClock } from '../ui/clock.ts';
import { burnWords, moneyWords, NOTHING_PRICED } from '../../shared/meter/money-words.ts';
import { Dash } from '../ui/figure.tsx';
import { doubtsOf, NO_AMOUNT, runSpentWords, spentWords } from './money-words.ts';

interface LiveProps {
  readonly meters: readonly BoxMeter[];
  readonly period: Period;
  /** Of boxes that are not in the list any more. */
  readonly past?: readonly Spent[];
}

const NO_PAST: readonly Spent[] = [];

/** What these boxes cost in this time, growing. Drawn again when what is written changes. */
export function LiveSpent(props: LiveProps) {
  return <SpentFigure words={useSpent(props)} />;
}

/** As `useSpent` words it; a dash that says what is missing where no amount is known. */
export function SpentFigure({ words }: { readonly words: string }) {
  if (words !== NO_AMOUNT) return words;
  return <Dash why="No price is set, or nobody saw whether it runs" />;
}

interface BurnFigureProps {
  /** Null: nobody knows whether the box runs. */
  readonly burn: Estimate | null;
  readonly per?: string;
}

export function BurnFigure({ burn, per }: BurnFigureProps) {
  return burn === null ? <Dash why="Connect to see whether it runs" /> : burnWords(burn, per);
}

/** What the box has cost since a run began. */
export function RunSpent({ run }: { readonly run: RunCost }) {
  const words = runSpentWords(run);
  if (words !== NO_AMOUNT) return words;
  return <Dash why="Nobody saw it start, or no price is set" />;
}

export function useSpent(props: LiveProps): string {
  return useClock((nowMs) => {
    const spent = sumAt(props, nowMs);
    const isNothing = spent.known.length === 0 && spent.unresolvedMs === 0;
    return (isNothing ? blindWords(props) : null) ?? spentWords(spent);
  });
}

/** Of boxes of which nobody has said or seen what they do, or whose disks nobody entered, "nothing" is not known. */
function blindWords({ meters }: LiveProps): string | null {
  if (meters.some(({ phase }) => phase === null)) return NO_AMOUNT;
  const isUnentered = ({ phase, charges }: BoxMeter): boolean =>
    phase === 'stopped' && charges.length === 0;
  return meters.some(isUnentered) ? NOTHING_PRICED : null;
}

/** What of it was paid for boxes that did nothing; empty where nothing was. */
export function LiveWaste(props: LiveProps) {
  return useWaste(props);
}

export function useWaste(props: LiveProps): string {
  return useClock((nowMs) => moneyWords(sumAt(props, nowMs).wasted));
}

/** What the sum lacks; empty where it lacks nothing. */
export function useDoubts(props: LiveProps): string {
  return useClock((nowMs) => doubtsOf(sumAt(props, nowMs)).join('; '));
}

function sumAt({ meters, period, past = NO_PAST }: LiveProps, nowMs: number): Spent {
  return addSpent([...meters.map((meter) => spentAt(meter, period, nowMs)), ...past]);
}
