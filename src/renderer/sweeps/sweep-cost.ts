import { formatMoneyBriefly, shareOf, type Money } from '../../shared/money.ts';
import { formatCount } from '../ui/format.ts';
import type { SweepRow } from './sweep-rows.ts';

const HOUR_MS = 3_600_000;

/** What the cells have cost so far, by the prices of today; cells that run at once share them. What has no price is told, and never counted as nothing. */
export function costWords(
  rows: readonly SweepRow[],
  prices: ReadonlyMap<string, Money>,
  nowMs: number,
): string {
  const sums = new Map<string, number>();
  let unknown = 0;
  for (const { beganAtMs, endedAtMs, boxId, slots, cell, isSeenNow } of rows) {
    if (beganAtMs === null) continue;
    const price = boxId === null ? undefined : prices.get(boxId);
    const isRunning = cell.state.kind === 'running' && isSeenNow;
    const untilMs = endedAtMs ?? (isRunning ? nowMs : null);
    if (price === undefined || untilMs === null) {
      unknown += 1;
      continue;
    }
    const { micros } = shareOf(price, Math.max(0, untilMs - beganAtMs) / HOUR_MS / slots);
    sums.set(price.currency, (sums.get(price.currency) ?? 0) + micros);
  }
  const known = [...sums].map(([currency, micros]) => formatMoneyBriefly({ micros, currency }));
  if (unknown === 0) return known.length === 0 ? 'nothing has run' : known.join(' + ');
  const missing = `${formatCount(unknown, 'cell')} not counted: no full price, or end not seen`;
  return known.length === 0 ? missing : `at least ${known.join(' + ')}, ${missing}`;
}
