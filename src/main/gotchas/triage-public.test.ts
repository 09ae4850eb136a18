import { describe, expect, it } from 'vitest';
import { publicEnds, scoreOf } from './public-ends.fixture.ts';

const ends = publicEnds();
const tuned = ends.filter(({ half }) => half === 'tuned');
const untouched = ends.filter(({ half }) => half === 'untouched');

// Trimmed, completed or composed: see PublicEnd.
describe('log ends after public issues', () => {
  it('are about a hundred, in two halves by a rule that no one chooses', () => {
    expect(ends.length).toBeGreaterThanOrEqual(100);
    expect(Math.min(tuned.length, untouched.length)).toBeGreaterThanOrEqual(45);
  });

  it.each(tuned)('$name', ({ label, answer }) => {
    expect(answer).toBe(label);
  });

  // The figures that were measured when the words were last tuned, on the other half alone.
  it('are named in the half on which nothing was tuned, and none wrongly', () => {
    const { failures, named, wrong } = scoreOf(untouched);
    expect(wrong).toBe(0);
    expect(named / failures).toBeGreaterThanOrEqual(0.95);
  });
});
