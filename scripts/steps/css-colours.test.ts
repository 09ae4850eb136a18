import { expect, it } from 'vitest';
import { findColourLiterals } from './css-colours.mjs';

it('finds numbers and names of colours in values, with their line', () => {
  const css = `.a {
  color: #fff;
  background: linear-gradient(rgb(0 0 0 / 50%), var(--surface));
  border: 1px solid Tomato
}
.b { &:hover { fill: oklch(0.7 0.1 200) } }`;
  expect(findColourLiterals(css, false)).toEqual([
    { line: 2, literal: '#fff' },
    { line: 3, literal: 'rgb(0 0 0 / 50%)' },
    { line: 4, literal: 'Tomato' },
    { line: 6, literal: 'oklch(0.7 0.1 200)' },
  ]);
});

it.each([
  '.tan, #add, a:hover { margin: 0; }',
  '.a { color: var(--chart-red); background: color-mix(in oklch, var(--accent) 20%, transparent); }',
  '.a { fill: currentColor; color: inherit; border-color: transparent; }',
  '/* color: red; #fff */ .a { background: url(#fff); content: "red"; }',
  '@media (min-width: 10px) { .a { white-space: nowrap; } }',
])('leaves alone %s', (css) => {
  expect(findColourLiterals(css, false)).toEqual([]);
});

it('lets a page of its own define tokens, and use them only', () => {
  const css = ':root { --page: #fff; } body { background: #fff; }';
  expect(findColourLiterals(css, true)).toEqual([{ line: 1, literal: '#fff' }]);
  expect(findColourLiterals(css, false)).toHaveLength(2);
});
