import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const renderer = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(resolve(renderer, file), 'utf8');
const familiesIn = (css: string): string[] =>
  [...css.matchAll(/@font-face \{\s+font-family: '([^']+)'/g)].map(([, family = '']) => family);

describe('the fonts of the first picture', () => {
  // A face that nobody has asked for has Chromium search the system for a stand-in, size by size (decision 7).
  it('are declared once each, and all of them are asked for', () => {
    const asked = /\[(.*)\]/
      .exec(read('public/first-moments.js'))?.[1]
      ?.replaceAll("'", '')
      .split(', ');
    expect(familiesIn(read('styles/fonts.css'))).toEqual(asked);
    expect(asked).toHaveLength(2);
  });

  it('leave the other scripts to what is loaded behind them, under a name that is known', () => {
    const late = familiesIn(read('styles/more-fonts.css'));
    expect(late).toEqual(['Inter Variable', 'Inter Variable', 'Inter Variable']);
  });
});
