import { describe, expect, it } from 'vitest';
import { conclude, judgeCheck, judgeTests, skippedStep, sum } from './tally.mjs';

const good = { passed: 3, failed: 0, skipped: [] };

describe('the closing line', () => {
  it('adds up tests, failed checks and what was skipped', () => {
    const total = sum([
      judgeCheck({ code: 0, text: 'fine' }),
      judgeCheck({ code: 2, text: 'not fine' }),
      skippedStep('shellcheck', 'shellcheck is not installed'),
      good,
      {
        ...{ passed: 4, failed: 2, failures: ['a > c', 'a > d'] },
        skipped: [{ name: 'a > b', reason: 'no tmux here' }],
      },
    ]);
    expect(conclude(total)).toEqual({
      lines: [
        'skipped: shellcheck (shellcheck is not installed)',
        'skipped: a > b (no tmux here)',
        'failed: a > c',
        'failed: a > d',
        '7 passed, 3 failed, 2 skipped',
      ],
      code: 1,
    });
  });

  it('is green only when something ran and nothing failed', () => {
    expect(conclude(sum([good, judgeCheck({ code: 0, text: '' })]))).toEqual({
      lines: ['3 passed, 0 failed, 0 skipped'],
      code: 0,
    });
    expect(conclude(sum([skippedStep('all', 'nothing here')]))).toEqual({
      lines: [
        'skipped: all (nothing here)',
        'No test ran, which counts as a failure.',
        '0 passed, 1 failed, 1 skipped',
      ],
      code: 1,
    });
  });
});

describe('a test runner', () => {
  it('that fails without a failed test has failed all the same', () => {
    expect(judgeTests(1, good)).toEqual({ ...good, failed: 1 });
    expect(judgeTests(1, { ...good, failed: 2 })).toEqual({ ...good, failed: 2 });
    expect(judgeTests(0, good)).toEqual(good);
  });

  it('that leaves no report has failed, whatever its exit code says', () => {
    expect(judgeTests(0, null)).toMatchObject({ passed: 0, failed: 1 });
  });
});
