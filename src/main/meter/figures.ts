import { spentByPeriod, type BoxMeter } from '../../shared/meter/box-meter.ts';
import type { PriceBook } from '../../shared/meter/box-recorder.ts';
import { costPerDay, estimateFor } from '../../shared/meter/estimate.ts';
import { toMoney } from '../../shared/meter/exact.ts';
import { idleWaste } from '../../shared/meter/idle.ts';
import type { Phase } from '../../shared/meter/interval.ts';
import { countedPart } from '../../shared/meter/ledger.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import { costRuns, type SeenRuns } from '../../shared/meter/run-costs.ts';
import { phaseSince } from '../../shared/meter/tail.ts';
import type { RunOutlook } from '../../shared/patrol/run-end.ts';
import type { BoxAccount } from './box-account.ts';

interface Said extends Pick<BoxMeter, 'prices' | 'pricedAtMs' | 'egressRate'> {
  readonly book: PriceBook;
  readonly seenRuns: SeenRuns | null;
  readonly outlooks: ReadonlyMap<string, RunOutlook>;
}

/** What is shown of one box's ledger at this moment. */
export function figuresOf(
  account: BoxAccount,
  { prices, pricedAtMs, egressRate, book, seenRuns, outlooks }: Said,
  wallMs: number,
): BoxMeter {
  const { recorder, unreadableLines, idle } = account;
  const counted = countedPart(account.ledger);
  const { spans, sinceMs } = idle;
  const phase = phaseIn(account);
  return {
    asOfMs: wallMs,
    phase: phase?.phase ?? null,
    phaseSinceMs: phase?.sinceMs ?? null,
    source: recorder.openInterval?.source ?? null,
    prices,
    pricedAtMs,
    egressRate,
    charges: phase === null ? [] : book[phase.phase],
    burnPerHour: phase === null ? null : estimateFor(book[phase.phase], HOUR_MS),
    perDay: costPerDay(book),
    ...spentByPeriod(counted, spans, wallMs),
    unreadableLines,
    runs: costRuns(seenRuns, outlooks, counted, spans),
    idle:
      sinceMs === null
        ? null
        : {
            sinceMs,
            wasted: toMoney(idleWaste(counted.intervals, [{ fromMs: sinceMs, toMs: wallMs }]).sums),
          },
  };
}

/** The phase and since when, by the ledger. */
export function phaseIn({
  ledger,
  recorder,
}: BoxAccount): { readonly phase: Phase; readonly sinceMs: number } | null {
  const { phase } = recorder;
  if (phase === null) return null;
  return { phase, sinceMs: phaseSince(ledger, phase) ?? recorder.openInterval?.fromMs ?? 0 };
}
