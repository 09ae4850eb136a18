import { NOTHING_TOLD, type ClockEntries } from '../clocks/clock.ts';
import type { AccountEntry } from '../clocks/clock-entries.ts';
import { NO_PRICES } from '../meter/price-book.ts';
import type { PriceEntries } from '../meter/price-entries.ts';
import type { Money } from '../money.ts';

const HOUR_MS = 3_600_000;
const GPU_HOUR_MICROS = 1_200_000;
/** Of the tier of that name in resources/demo/platform/demo.yaml, which has its rates. */
const DISK_GB = 100;
/** Further away than the first alarm of a clock: a demo that is looked at for an afternoon calls nobody. */
const RENTED_H = 54;
/** The rental ends before the money does. */
const BALANCE_H = 80;

interface DemoTerms {
  readonly prices: PriceEntries;
  readonly clocks: ClockEntries;
  readonly account: AccountEntry;
}

/** Of the machine, without its disk. */
export const demoPricePerHour = (gpuCount: number): Money => ({
  micros: GPU_HOUR_MICROS * gpuCount,
  currency: 'USD',
});

/** On what terms the demo box is rented: as a person would enter them for a real one. */
export function demoTerms(gpuCount: number, nowMs: number): DemoTerms {
  const perHour = demoPricePerHour(gpuCount);
  return {
    prices: {
      ...NO_PRICES,
      compute: { ...perHour, per: 'hour' },
      disks: [{ tier: 'demo disk', sizeGB: DISK_GB, perGB: null }],
    },
    clocks: { ...NOTHING_TOLD, times: { 'rental-end': nowMs + RENTED_H * HOUR_MS } },
    account: { balance: { ...perHour, micros: perHour.micros * BALANCE_H }, asOfMs: nowMs },
  };
}
