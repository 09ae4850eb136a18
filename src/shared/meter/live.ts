import { isArchived } from '../boxes/archived.ts';
import type { Box } from '../boxes/box.ts';
import type { Money } from '../money.ts';
import type { BoxMeter, Period, Spent } from './box-meter.ts';
import { monthOf, todayOf } from './calendar.ts';
import { addMoney, estimateFor, type Estimate } from './estimate.ts';
import type { Charge } from './interval.ts';

/** Figures come every ten seconds. What is much older says nothing of now, and does not go on. */
const GOES_ON_MS = 60_000;

/** What a box has cost at this moment: the figures of a few seconds ago, and what was billed since. */
export function spentAt(meter: BoxMeter, period: Period, nowMs: number): Spent {
  const spent = meter[period];
  const { asOfMs, source, charges } = meter;
  const ms = Math.min(nowMs, endOf(period, asOfMs), asOfMs + GOES_ON_MS) - asOfMs;
  if (source === null || ms <= 0) return spent;
  const { money, isPartly } = estimateFor(charges, ms);
  const unpricedMs = spent.unpricedMs + (isPartly ? ms : 0);
  if (source === 'unresolved') {
    return {
      ...spent,
      unpricedMs,
      unresolved: addMoney(spent.unresolved, money),
      unresolvedMs: spent.unresolvedMs + ms,
    };
  }
  const isWasted = meter.idle !== null && meter.phase === 'running';
  return {
    ...spent,
    unpricedMs,
    known: addMoney(spent.known, money),
    ...(isWasted && {
      wasted: addMoney(spent.wasted, estimateFor(charges.filter(isCompute), ms).money),
      wastedMs: spent.wastedMs + ms,
    }),
  };
}

/** Days and months end while one looks; what comes after is of the next one. */
function endOf(period: Period, asOfMs: number): number {
  if (period === 'total') return Number.POSITIVE_INFINITY;
  return period === 'month' ? monthOf(asOfMs).toMs : todayOf(asOfMs).toMs;
}

function isCompute({ kind }: Charge): boolean {
  return kind === 'compute';
}

export const NOTHING_SPENT: Spent = {
  known: [],
  unresolved: [],
  unresolvedMs: 0,
  unpricedMs: 0,
  unpricedBytes: 0,
  receivedBytes: 0,
  wasted: [],
  wastedMs: 0,
};

export function addSpent(parts: readonly Spent[]): Spent {
  const sumOf = (of: (part: Spent) => number): number =>
    parts.reduce((sum, part) => sum + of(part), 0);
  return {
    known: addMoney(...parts.map(({ known }) => known)),
    unresolved: addMoney(...parts.map(({ unresolved }) => unresolved)),
    unresolvedMs: sumOf(({ unresolvedMs }) => unresolvedMs),
    unpricedMs: sumOf(({ unpricedMs }) => unpricedMs),
    unpricedBytes: sumOf(({ unpricedBytes }) => unpricedBytes),
    receivedBytes: sumOf(({ receivedBytes }) => receivedBytes),
    wasted: addMoney(...parts.map(({ wasted }) => wasted)),
    wastedMs: sumOf(({ wastedMs }) => wastedMs),
  };
}

/** What several boxes burn together. */
export interface Burn {
  readonly perHour: readonly Money[];
  /** Boxes that cost something nobody knows, or of which nobody knows whether they run. */
  readonly unknownBoxes: number;
}

export function sumBurn(meters: readonly (BoxMeter | null)[]): Burn {
  return sumBurns(meters.map((meter) => meter?.burnPerHour ?? null));
}

/** Of a box that is gone only what is known to go on being billed is in a sum: the archive says of each box what is not known. */
export const mayBurn = (box: Pick<Box, 'archivedAtMs'>, burn: Estimate | null): boolean =>
  !isArchived(box) || (burn?.money.length ?? 0) > 0;

export function sumBurns(burns: readonly (Estimate | null)[]): Burn {
  return {
    perHour: addMoney(...burns.map((burn) => burn?.money ?? [])),
    unknownBoxes: burns.filter((burn) => burn?.isPartly !== false).length,
  };
}

/** Where there is room for one currency only: the one in which most of these boxes are paid. */
export function mostUsedFirst(
  money: readonly Money[],
  meters: readonly (BoxMeter | null)[],
): readonly Money[] {
  const usesOf = ({ currency }: Money): number =>
    meters.filter((meter) => meter?.burnPerHour?.money.some((each) => each.currency === currency))
      .length;
  return [...money].sort((a, b) => usesOf(b) - usesOf(a));
}
