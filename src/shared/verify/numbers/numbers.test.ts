import { expect, it } from 'vitest';
import { compareFigures, isFigure } from './compare-figures.ts';
import { keyText, parseKey, type NumberKey } from './number-key.ts';

it.each([
  ['0.913', '0.913', 'equal'],
  ['0.9130', '0.913', 'equal'],
  ['9.13e-1', '0.913', 'equal'],
  ['91.3 %', '0.913', 'equal'],
  ['-1', '-1.0', 'equal'],
  ['0.913', '0.91298', 'rounded'],
  ['91.3%', '0.91298', 'rounded'],
  ['0.92', '0.91298', 'differs'],
  ['0.9129', '0.91298', 'differs'],
  // What Python makes of a half depends on its binary form.
  ['0.12', '0.125', 'rounded'],
  ['0.13', '0.125', 'rounded'],
  ['0.12', '0.1250001', 'differs'],
  // A double would call these two the same.
  ['0.10000000000000000001', '0.1', 'differs'],
  ['12345678901234567890', '12345678901234567891', 'differs'],
  ['1', 'NaN', 'differs'],
  ['1', '-Infinity', 'differs'],
  ['0', '1e-9999', 'rounded'],
  ['1', '1e99999', 'differs'],
  ['', '0', 'differs'],
  ['.', '0', 'differs'],
])('%j against %j in the file: %s', (reported, literal, verdict) => {
  expect(compareFigures(reported, literal)).toBe(verdict);
});

it('takes as a figure what is one', () => {
  expect(['0.9', ' 91 % ', '-.5', '1e3'].every(isFigure)).toBe(true);
  expect(['', '%', 'about 0.9', '0,9', '1e', 'NaN', '1 000'].some(isFigure)).toBe(false);
});

it.each<[string, NumberKey]>([
  ['eval.accuracy', { parts: ['eval', 'accuracy'], row: null }],
  ['eval/accuracy', { parts: ['eval/accuracy'], row: null }],
  ['["a.b"][3].loss', { parts: ['a.b', 3, 'loss'], row: null }],
  ['[0]["1"]', { parts: [0, '1'], row: null }],
  ['metrics/mAP50-95(B)@highest', { parts: ['metrics/mAP50-95(B)'], row: { kind: 'highest' } }],
  ['train loss@last', { parts: ['train loss'], row: { kind: 'last' } }],
  ['loss@1000', { parts: ['loss'], row: { kind: 'step', step: 1000 } }],
  ['["a@b=\\n\\""]@lowest', { parts: ['a@b=\n"'], row: { kind: 'lowest' } }],
  ['[""]', { parts: [''], row: null }],
])('%s is read and written the same', (text, key) => {
  const written = keyText(key);
  expect(parseKey(written)).toEqual({ ok: true, value: key });
  expect(parseKey(text)).toEqual({ ok: true, value: key });
});

it.each(['', '@last', 'a@best', 'a[', 'a[x]', 'a["b]', 'a@-1', 'a=b', `a${'.a'.repeat(32)}`])(
  '%j is no key',
  (text) => {
    expect(parseKey(text).ok).toBe(false);
  },
);
