import { describe, expect, it } from 'vitest';
import { encodePaste, judgePaste, MAX_PASTE_CHARS } from './paste.ts';

describe('judgePaste', () => {
  it('lets one line through', () => {
    expect(judgePaste('nvidia-smi -L')).toEqual({ kind: 'plain', text: 'nvidia-smi -L' });
    expect(judgePaste('')).toEqual({ kind: 'nothing' });
  });

  it.each([
    ['two lines', 'a\nb', ['a', 'b']],
    ['one line that would run at once', 'rm -rf x\n', ['rm -rf x']],
    ['line breaks of other systems', 'a\r\nb\rc', ['a', 'b', 'c']],
    ['an empty last line kept', 'a\n\n', ['a', '']],
  ])('asks about %s', (_what, clipboard, lines) => {
    expect(judgePaste(clipboard)).toMatchObject({ kind: 'ask', lines, controls: 0 });
  });

  it('takes out what could end the bracket or hide a command', () => {
    const judged = judgePaste('ls\x1b[201~\x07\x9b31m');
    expect(judged).toMatchObject({ kind: 'ask', controls: 3, text: 'ls[201~31m' });
    expect(judged.kind === 'ask' && judged.lines).toEqual(['ls\x1b[201~\x07\x9b31m']);
  });

  it('refuses what is too large', () => {
    expect(judgePaste('x'.repeat(MAX_PASTE_CHARS + 1))).toMatchObject({ kind: 'too-large' });
  });

  it('sends Enter for a line break, in brackets where they are wanted', () => {
    expect(encodePaste('a\nb', false)).toBe('a\rb');
    expect(encodePaste('a\nb', true)).toBe('\x1b[200~a\rb\x1b[201~');
  });
});
