import { spentOf, type BoxMeter } from '../../shared/meter/box-meter.ts';
import { monthOf, todayOf } from '../../shared/meter/calendar.ts';
import { costPerDay, estimateFor, idleWaste } from '../../shared/meter/estimate.ts';
import { toMoney } from '../../shared/meter/exact.ts';
import type { Phase } from '../../shared/meter/interval.ts';
import { effectiveIntervals, sumLedgers } from '../../shared/meter/ledger.ts';
import type { PriceBook } from '../../shared/meter/box-recorder.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import type { BoxAccount } from './box-account.ts';

interface Said extends Pick<BoxMeter, 'prices'> {
  readonly book: PriceBook;
  /** Since when no card has worked; null: one does, or nobody knows. */
  readonly idleSinceMs: number | null;
}

/** What is shown of one box's ledger at this moment. */
export function figuresOf(
  account: BoxAccount,
  { prices, book, idleSinceMs }: Said,
  wallMs: number,
): BoxMeter {
  const { ledger, recorder, unreadableLines } = account;
  const ledgers = [ledger];
  const phase = phaseIn(account);
  return {
    phase: phase?.phase ?? null,
    phaseSinceMs: phase?.sinceMs ?? null,
    source: recorder.openInterval?.source ?? null,
    prices,
    burnPerHour: phase === null ? null : estimateFor(book[phase.phase], HOUR_MS),
    perDay: costPerDay(book),
    today: spentOf(sumLedgers(ledgers, todayOf(wallMs))),
    month: spentOf(sumLedgers(ledgers, monthOf(wallMs))),
    total: spentOf(sumLedgers(ledgers)),
    unreadableLines,
    idle: idleSinceMs === null ? null : idleFigures(account, idleSinceMs, wallMs),
  };
}

function idleFigures({ ledger }: BoxAccount, sinceMs: number, toMs: number): BoxMeter['idle'] {
  const wasted = idleWaste(effectiveIntervals(ledger), [{ fromMs: sinceMs, toMs }]);
  return { sinceMs, wasted: toMoney(wasted.sums) };
}

/** The phase and since when, by the ledger. */
export function phaseIn({
  ledger,
  recorder,
}: BoxAccount): { readonly phase: Phase; readonly sinceMs: number } | null {
  const { phase } = recorder;
  if (phase === null) return null;
  const lines = effectiveIntervals(ledger)
    .filter(({ source }) => source !== 'manual')
    .sort((a, b) => a.no - b.no);
  const before = lines.map((line) => line.phase === phase).lastIndexOf(false);
  const first = lines[before + 1] ?? recorder.openInterval;
  return { phase, sinceMs: first?.fromMs ?? 0 };
}
