import type { BoxMeter, Spent } from '../../shared/meter/box-meter.ts';
import { NO_PRICES } from '../../shared/meter/price-book.ts';
import { NOTHING_SPENT } from '../../shared/meter/live.ts';
import type { Rate } from '../../shared/meter/rate.ts';
import type { Money } from '../../shared/money.ts';

export const usd = (micros: number): Money => ({ micros, currency: 'USD' });
export const cny = (micros: number): Money => ({ micros, currency: 'CNY' });

export function spent(known: readonly Money[], part: Partial<Spent> = {}): Spent {
  return { ...NOTHING_SPENT, known, ...part };
}

/** A box that runs at 3.60 an hour, seen, and has cost what its total says; a millisecond is a millionth. */
export function sampleMeter(part: Partial<BoxMeter> = {}, rate = hourly(3_600_000)): BoxMeter {
  const running = { money: [{ micros: rate.micros, currency: rate.currency }], isPartly: false };
  const nothing = { money: [], isPartly: false };
  const so = spent([{ micros: 10_000_000, currency: rate.currency }]);
  return {
    asOfMs: 0,
    phase: 'running',
    phaseSinceMs: 0,
    source: 'observed',
    prices: { ...NO_PRICES, compute: rate },
    pricedAtMs: 0,
    egressRate: null,
    charges: [{ kind: 'compute', what: 'GPU time', rate }],
    burnPerHour: running,
    perDay: { running, stopped: nothing, destroyed: nothing },
    today: so,
    week: so,
    month: so,
    total: so,
    unreadableLines: 0,
    runs: null,
    idle: null,
    ...part,
  };
}

/** One that runs, and of which nobody knows the price. */
export function unpricedMeter(part: Partial<BoxMeter> = {}): BoxMeter {
  const partly = { money: [], isPartly: true };
  const nothing = spent([], { unpricedMs: 60_000 });
  return sampleMeter({
    prices: NO_PRICES,
    pricedAtMs: null,
    charges: [{ kind: 'compute', what: 'GPU time', rate: null }],
    burnPerHour: partly,
    perDay: { running: partly, stopped: { money: [], isPartly: false }, destroyed: partly },
    today: nothing,
    week: nothing,
    month: nothing,
    total: nothing,
    ...part,
  });
}

export function hourly(micros: number, currency = 'USD'): Rate & { readonly per: 'hour' } {
  return { micros, currency, per: 'hour' };
}
