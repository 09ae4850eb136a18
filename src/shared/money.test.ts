import { describe, expect, it } from 'vitest';
import { decimalOf, isKnownCurrency, microsOf } from './money.ts';

describe('microsOf', () => {
  it.each([
    ['0', 0],
    ['0.0045', 4500],
    ['2', 2_000_000],
    ['0.1', 100_000],
    ['8.29', 8_290_000],
    ['999999999.999999', 999_999_999_999_999],
  ])('reads %s by its digits', (text, micros) => {
    expect(microsOf(text)).toBe(micros);
  });

  it.each(['', '-1', '+1', '1e3', '.5', '5.', '1,5', 'NaN', '0.0000001', '1000000000', ' 1'])(
    'does not guess at "%s"',
    (text) => {
      expect(microsOf(text)).toBeNull();
    },
  );
});

describe('decimalOf', () => {
  it.each([
    [4500, '0.0045'],
    [2_000_000, '2.00'],
    [-100_000, '-0.10'],
    [1, '0.000001'],
    [0, '0.00'],
  ])('writes %d as %s', (micros, text) => {
    expect(decimalOf(micros)).toBe(text);
  });
});

describe('isKnownCurrency', () => {
  it('takes ISO codes and nothing that looks like one', () => {
    expect(['USD', 'CNY', 'EUR'].every(isKnownCurrency)).toBe(true);
    expect(['RMB', 'usd', 'BTC', '', 'XXXX'].some(isKnownCurrency)).toBe(false);
  });
});
