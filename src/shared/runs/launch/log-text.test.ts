import { describe, expect, it } from 'vitest';
import { markFound, plainLogText, readSpans } from './log-text.ts';

const brief = (text: string) =>
  readSpans(text).map(({ text: said, tone, isBold, isFaint }) =>
    [said, tone ?? '', isBold ? 'bold' : '', isFaint ? 'faint' : ''].filter(Boolean).join(' '),
  );

describe('a row of a log', () => {
  it('shows the colours that the window has, and forgets them at a reset', () => {
    expect(brief('a\u001b[31mb\u001b[1;92mc\u001b[0md\u001b[2me\u001b[22;39mf')).toEqual([
      'a',
      'b red',
      'c green bold',
      'd',
      'e faint',
      'f',
    ]);
    expect(brief('\u001b[38;5;196mx\u001b[38;2;1;2;31my\u001b[48;5;31mz')).toEqual(['xyz']);
  });

  it.each([
    ['a title', '\u001b]0;owned\u0007text', 'text'],
    ['a link', '\u001b]8;;https://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['the cursor', 'a\u001b[2K\u001b[1Ab\u001b[?25l', 'ab'],
    ['an order without an end', '\u001b]0;shown all the same', '0;shown all the same'],
    ['bidi overrides and zero-width characters', 'gnp\u202Eexe\u200B.\u2066x', 'gnpexe.x'],
    ['control characters', 'a\u0008\u0007\u0000b\tc', 'ab\tc'],
    ['a one-byte introducer', '\u009b31mred', 'red'],
    ['nothing', 'träning █▌ 50%', 'träning █▌ 50%'],
  ])('is rid of %s', (_what, text, plain) => {
    expect(plainLogText(text)).toBe(plain);
    expect(
      readSpans(text)
        .map((span) => span.text)
        .join(''),
    ).toBe(plain);
  });

  it('marks what is found, also across colours, and changes no character', () => {
    const spans = markFound(readSpans('xAb\u001b[31mcabC ab\u001b[0m'), 'abc');
    expect(spans.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('')).toBe(
      'x[Ab][c][abC] ab',
    );
    expect(markFound(readSpans('İab'), 'ab').some(({ isFound }) => isFound)).toBe(false);
    expect(markFound(readSpans('plain'), '')).toEqual([
      { text: 'plain', tone: null, isBold: false, isFaint: false, isFound: false },
    ]);
  });
});
