import { describe, expect, it } from 'vitest';
import { lastPlaceOf, parseSign } from './sign.ts';

const place = (sign: string, text: string): number =>
  lastPlaceOf(parseSign(sign), text.toLowerCase());

describe('a sign', () => {
  it.each([
    ['its very words, in any case', 'No space left', 'OSError: no SPACE left on device', 9],
    ['anything in between on the same line', 'Xid … : 79,', 'NVRM: Xid (PCI:1): 79, pid', 6],
    ['the last place', 'Killed', 'Killed\nKilled', 7],
    ['a line’s beginning', '^Killed', 'was killed\nKilled', 11],
    ['the beginning of the text', '^Killed', 'Killed', 0],
    ['not the middle of a line', '^Killed', 'it was Killed', -1],
    ['not over the end of a line', 'Xid … : 79,', 'Xid 13\nx : 79,', -1],
    ['not what is too far away', 'Xid … : 79,', `Xid ${'x'.repeat(400)} : 79,`, -1],
    ['an earlier place where the last one does not fit', 'a … b', 'a-b\na', 0],
    ['nothing', 'Killed', '', -1],
  ])('finds %s', (_what, sign, text, expected) => {
    expect(place(sign, text)).toBe(expected);
  });

  it('counts only what must be there', () => {
    expect(parseSign('^Xid … : 79,').chars).toBe('Xid: 79,'.length);
  });
});
