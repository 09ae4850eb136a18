import type {
  Correction,
  Interval,
  Phase,
  Source,
  TransferSource,
} from '../../../shared/meter/interval.ts';
import { estimateFor } from '../../../shared/meter/estimate.ts';
import { costOf, roundToMicros } from '../../../shared/meter/exact.ts';
import { formatMoney } from '../../../shared/money.ts';
import { formatBytes, formatDate } from '../../ui/format.ts';
import { burnWords } from '../../../shared/meter/money-words.ts';
import type { LedgerRow } from './ledger-rows.ts';

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  running: 'running',
  stopped: 'stopped',
  destroyed: 'destroyed',
};

export const SOURCE_WORDS: Readonly<Record<Source | TransferSource, string>> = {
  observed: 'observed',
  inferred: 'inferred',
  manual: 'entered',
  unresolved: 'not metered',
  measured: 'measured',
};

export const SOURCE_HINTS: Readonly<Record<Source | TransferSource, string>> = {
  observed: 'The box answered all the while.',
  inferred: 'The box reported later that it had been up, or you marked it as stopped.',
  manual: 'You entered it.',
  unresolved: 'Not connected, or Leasehold was closed. Not in the sums; beside them as “at most”.',
  measured: 'It came over Leasehold’s own connections. What other programs moved is not in it.',
};

const BY_WORDS: Readonly<Record<Correction['by'], string>> = {
  person: 'you',
  box: 'the box’s own count',
  price: 'a new price',
};

export function amountOf({ line }: LedgerRow): string {
  if (line.kind === 'time') {
    const { charges, ms, source } = line.interval;
    // Only a person can know that.
    if (charges.length === 0 && source === 'manual') return 'nothing billed';
    return burnWords(estimateFor(charges, ms), '');
  }
  const { rate, bytes, source } = line.transfer;
  if (rate === null) return source === 'measured' ? 'not priced' : 'no price set';
  return formatMoney({ micros: roundToMicros(costOf(rate, bytes)), currency: rate.currency });
}

export function chargesOf({ line }: LedgerRow): string {
  if (line.kind === 'transfer') {
    const { what, bytes, rate } = line.transfer;
    const price = rate === null ? '' : `, ${formatMoney(rate)} a GB`;
    return `${what}: ${formatBytes(bytes)}${price}`;
  }
  return ratesOf(line.interval);
}

function ratesOf({ charges }: Interval): string {
  return charges
    .map(({ what, rate }) =>
      rate === null
        ? `${what}: no price`
        : `${what}: ${formatMoney(rate)}/${rate.per === 'hour' ? 'h' : rate.per}`,
    )
    .join(', ');
}

export function takenOutWords({ atMs, by, reason }: Correction): string {
  return `Taken out by ${BY_WORDS[by]}, ${formatDate(atMs)}: ${reason}`;
}
