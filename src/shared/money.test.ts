import { describe, expect, it } from 'vitest';
import {
  decimalOf,
  formatMoney,
  formatMoneyBriefly,
  isKnownCurrency,
  microsOf,
  readAmount,
} from './money.ts';

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

it('says less than a hundredth briefly, never as nothing, and nothing never as a little', () => {
  const brief = [-5, 0, 1, 2083, 9_999, 10_000, 1_234_567].map((micros) =>
    formatMoneyBriefly({ micros, currency: 'CNY' }),
  );
  expect(brief).toEqual([
    '−CN¥0.000005',
    'CN¥0.00',
    '<CN¥0.01',
    '<CN¥0.01',
    '<CN¥0.01',
    'CN¥0.01',
    'CN¥1.23',
  ]);
});

describe('formatMoney', () => {
  it.each([
    [{ micros: 1_870_254_999, currency: 'USD' }, '$1\u202f870.25'],
    [{ micros: 2_075_000, currency: 'CNY' }, 'CN¥2.08'],
    [{ micros: 5_000, currency: 'EUR' }, '€0.005'],
    [{ micros: 1, currency: 'USD' }, '$0.000001'],
    [{ micros: 0, currency: 'USD' }, '$0.00'],
    [{ micros: -3_005_000, currency: 'CAD' }, '−CA$3.01'],
    [{ micros: 9_500_000, currency: 'CHF' }, 'CHF\u00a09.50'],
  ])('writes %o as %s', (money, text) => {
    expect(formatMoney(money)).toBe(text);
  });
});

describe('readAmount', () => {
  it.each([
    ['-1', 'cannot be negative'],
    ['1,50', 'Write 1.50 with a point'],
    ['0.1234567', 'six digits'],
    ['12345678901', 'Look for the point'],
    ['', 'in digits'],
    ['1e3', 'in digits'],
    ['$2', 'in digits'],
    ['NaN', 'in digits'],
  ])('names what is wrong with "%s"', (text, reason) => {
    const read = readAmount(text);
    expect(read.ok ? '' : read.error).toContain(reason);
  });

  it('reads what is right', () => {
    expect(readAmount(' 0.0045 ')).toEqual({ ok: true, value: 4500 });
  });
});
