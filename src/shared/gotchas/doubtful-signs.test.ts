import { describe, expect, it } from 'vitest';
import { sampleGotcha } from './catalog.fixture.ts';
import { doubtfulSigns } from './doubtful-signs.ts';

const U10 = sampleGotcha({ id: 'U10', signs: ['CUDA out of memory'] });
const doubts = (signs: readonly string[], incident: string | null) =>
  doubtfulSigns({ signs, incident }, [U10]);

describe('a sign of a draft', () => {
  it('is doubtful where it is not in what was seen, or another entry has it', () => {
    expect(doubts(['lease … lost'], 'the lease 7 was lost')).toEqual([]);
    expect(doubts(['lease lost'], 'the lease 7 was lost')).toEqual([
      '“lease lost” does not stand in what was seen.',
    ]);
    expect(doubts(['cuda OUT of memory'], null)).toEqual([
      '“cuda OUT of memory” is a sign of U10, too.',
    ]);
    expect(doubts(['', ' '], 'x')).toEqual([]);
  });
});
