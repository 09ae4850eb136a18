import { describe, expect, it } from 'vitest';
import { formatPrice, parsePrice } from './price.ts';
import { parseSpan } from './span.ts';

describe('parsePrice', () => {
  it.each(['0.20 USD/GB-month', '0.0007 CNY/GB-hour', '120.00 USD/month', '0.232 USD/GPU-hour'])(
    'reads and writes %s',
    (text) => {
      const read = parsePrice(text);
      expect(read.ok && formatPrice(read.value)).toBe(text);
    },
  );

  it.each([
    ['0.20 USD per GB', 'Write a price as'],
    ['-1 USD/hour', 'Write a price as'],
    ['1 RMB/hour', 'ISO code'],
    ['1 USD/fortnight', 'Choose the unit'],
    ['0.1', 'Write a price as'],
  ])('says how to mend "%s"', (text, fix) => {
    const read = parsePrice(text);
    expect(read.ok ? '' : read.error).toContain(fix);
  });
});

describe('parseSpan', () => {
  it('reads the four units and nothing else', () => {
    expect(['15 d', '24 h', '90 min', '5 s'].map(parseSpan)).toEqual([
      15 * 86_400_000,
      86_400_000,
      5_400_000,
      5000,
    ]);
    expect(['15d', '-1 d', '1.5 h', '1 month', ''].map(parseSpan)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
