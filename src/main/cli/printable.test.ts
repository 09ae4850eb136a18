import { describe, expect, it } from 'vitest';
import { printable, printableJson } from './printable.ts';

describe('printable', () => {
  it.each([
    ['plain text, größer, 日本語, 🚀', 'plain text, größer, 日本語, 🚀'],
    ['\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
    ['a\r\nb\tc\0', 'a\\x0d\\x0ab\\x09c\\x00'],
    ['\x7f\x9b31m', '\\x7f\\x9b31m'],
    ['safe\u202egpj.exe', 'safe\\u{202e}gpj.exe'],
    ['\u200b\u2028\ufeff', '\\u{200b}\\u{2028}\\u{feff}'],
    ['lone \ud83d half', 'lone \\u{d83d} half'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('turns %j into %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });
});

describe('printableJson', () => {
  const hostile = {
    text: '\x1b[31m \x7f \x9b \u202e \u2028 \u{e0041} \ud83d "quoted" \\ größer 🚀\n',
    '\x9b key': [null, 1.5],
  };

  it.each([0, 2])('parses to the same value with an indent of %i', (indent) => {
    expect(JSON.parse(printableJson(hostile, indent))).toEqual(hostile);
  });

  it('holds nothing unprintable but its own newlines', () => {
    expect(printableJson(hostile)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
    expect(printableJson(hostile, 0)).not.toContain('\n');
  });
});
