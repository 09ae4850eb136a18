import type { PriceBook } from '../../shared/meter/box-recorder.ts';
import { EMPTY_LEDGER } from '../../shared/meter/ledger.ts';
import type { StoredLedger } from '../storage/ledger-table.ts';

export const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
export const START_MS = Date.parse('2026-03-28T12:00:00Z');
export const LIFE = 'boot-1';
export const BYTES_A_SECOND = 1234;
export const NOTHING_STORED: StoredLedger = { ...EMPTY_LEDGER, nextNo: 1, unreadable: [] };

export function pricesAt(minute: number): PriceBook {
  const micros = 1_000_000 + Math.floor(minute / 7);
  const rate = { micros, currency: 'USD', per: 'hour' } as const;
  return {
    running: [{ kind: 'compute', what: 'GPU time', rate }],
    stopped: [],
    destroyed: [],
  };
}
