import { expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_CHARS } from './line-splitter.ts';
import { cut } from './sample.fixture.ts';

function split(pieces: readonly string[]): readonly (readonly [string, boolean])[] {
  const lines: (readonly [string, boolean])[] = [];
  const splitter = new LineSplitter((line, isCut) => lines.push([line, isCut]));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

it('gives the same lines at every size of the pieces', () => {
  const text = 'one\r\n\ntwo\nth\rree\r\n\r\nlast';
  const whole = split([text]);
  expect(whole.map(([line]) => line)).toEqual(['one', '', 'two', 'th\rree', '', 'last']);
  for (let size = 1; size <= text.length; size += 1) expect(split(cut(text, size))).toEqual(whole);
});

it('hands over the beginning of an endless line once', () => {
  const text = `a\n${'x'.repeat(MAX_LINE_CHARS * 3)}\nb\n`;
  for (const size of [1000, MAX_LINE_CHARS, text.length]) {
    expect(split(cut(text, size))).toEqual([
      ['a', false],
      ['x'.repeat(MAX_LINE_CHARS), true],
      ['b', false],
    ]);
  }
});

it('ends quietly inside an endless line', () => {
  expect(split(cut('x'.repeat(MAX_LINE_CHARS * 2), 999))).toHaveLength(1);
});
