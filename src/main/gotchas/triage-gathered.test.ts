import { describe, expect, it } from 'vitest';
import { failureIds } from '../../shared/triage/failures.ts';
import { gatheredEnds, scoreOf } from './public-ends.fixture.ts';

const ends = gatheredEnds();
const tuned = ends.filter(({ use }) => use === 'tuned');
const measured = ends.filter(({ use }) => use === 'measured');
/** What a person sees in them, and the words do not say without saying it of others, too. */
const NOT_NAMED = [
  // Its writer quoted it with "> ", as people quote advice.
  'disk-full--bash-touch-cannot.txt',
  // A level of its own behind its source; the same words follow a connection that is made anew.
  'network--azcopy-forcibly-closed.txt',
  // A figure among the figures of an iteration; runs print it once and go on.
  'numbers--megatron-grad-norm.txt',
  // The log of a controller, which starts its run anew; only that it failed to shows that the run was taken.
  'time-limit--spot-cluster-not-recovered.txt',
];

describe('log ends as public threads show them', () => {
  it('are of every class, each with the thread that showed it', () => {
    expect(tuned.length).toBeGreaterThanOrEqual(200);
    expect(measured.length).toBeGreaterThanOrEqual(30);
    expect(ends.filter(({ thread }) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(thread))).toEqual([]);
    const labels = new Set(ends.map(({ label }) => label));
    expect([...failureIds, 'unknown'].filter((id) => !labels.has(id))).toEqual([]);
  });

  it.each(tuned.filter(({ name }) => !NOT_NAMED.includes(name)))('$name', ({ label, answer }) => {
    expect(answer).toBe(label);
  });

  it('are named wrongly nowhere', () => {
    expect(scoreOf(ends).wrong).toBe(0);
    const missed = tuned.filter(({ label, answer }) => answer !== label);
    expect(missed.map(({ name }) => name)).toEqual(NOT_NAMED);
  });

  // The figure of the one time that it was measured.
  it('are named where nothing was tuned on them, four of five', () => {
    const { failures, named } = scoreOf(measured);
    expect(named / failures).toBeGreaterThanOrEqual(0.8);
  });
});
