import { describe, expect, it } from 'vitest';
import { DEFAULT_MARKS_MS } from './escalation.ts';
import { parseMarks, writeMarks } from './mark-words.ts';

describe('the marks at which a clock rings', () => {
  it('are read back as they are written', () => {
    expect(writeMarks(DEFAULT_MARKS_MS)).toBe('24 h, 6 h, 1 h, 15 min');
    expect(parseMarks(writeMarks(DEFAULT_MARKS_MS))).toEqual(DEFAULT_MARKS_MS);
    expect(writeMarks([172_800_000, 5_400_000])).toBe('2 d, 90 min');
  });

  it('are sorted, each once, and may be none', () => {
    expect(parseMarks('15min; 1 h,60 m, 1.5h')).toEqual([5_400_000, 3_600_000, 900_000]);
    expect(parseMarks(' ')).toEqual([]);
  });

  it.each([
    ['soon', 'no time'],
    ['5 s', 'no time'],
    ['-1 h', 'no time'],
    ['0 min', 'too short'],
    ['31 d', 'too long'],
    ['1 h, 2 h, 3 h, 4 h, 5 h, 6 h, 7 h, 8 h, 9 h, 10 h, 11 h', 'At most'],
  ])('are refused with a reason: “%s”', (text, reason) => {
    expect(parseMarks(text)).toContain(reason);
  });
});
