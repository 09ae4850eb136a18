import type { Alert, AlertSpan } from '../../../shared/alerts/alert.ts';
import { formatMoney } from '../../../shared/money.ts';
import { formatDate, formatDuration } from '../../ui/format.ts';

/** "about $1.23", or why there is no sum; null: it is nothing that costs. */
export function costSoFar({ cost, finding }: Alert): string | null {
  const sums = cost.amounts.filter(({ micros }) => micros > 0).map(formatMoney);
  if (sums.length > 0) {
    const least = cost.unpricedMs > 0 ? 'at least' : 'about';
    return `${least} ${sums.join(' + ')} in ${formatDuration(cost.seenMs)} seen`;
  }
  const isLost = finding.wastedShare !== null && finding.wastedShare > 0;
  return isLost || cost.unpricedMs > 0 ? 'no price set' : null;
}

/** "Fri 21 Nov 2025, 12:00 – 12:40": the day once where both are on one. */
export function spanWords({ fromMs, toMs }: AlertSpan): string {
  if (toMs === null) return `since ${formatDate(fromMs)}`;
  const isOneDay = new Date(fromMs).toDateString() === new Date(toMs).toDateString();
  const end = isOneDay
    ? new Date(toMs).toLocaleTimeString('en-GB', { timeStyle: 'short' })
    : formatDate(toMs);
  return `${formatDate(fromMs)} – ${end}`;
}

/** How long nobody looked before it was known to be over, where that is worth saying. */
export function unseenWords({ lastSeenMs, toMs }: AlertSpan): string | null {
  const unseenMs = (toMs ?? lastSeenMs) - lastSeenMs;
  return unseenMs < 5 * 60_000
    ? null
    : `last seen ${formatDate(lastSeenMs)}; nobody looked for the ${formatDuration(unseenMs)} after that`;
}

/** How long it was so, over all its spans. */
export function lastedMs({ spans }: Alert): number {
  return spans.reduce(
    (sum, { fromMs, lastSeenMs, toMs }) => sum + (toMs ?? lastSeenMs) - fromMs,
    0,
  );
}
