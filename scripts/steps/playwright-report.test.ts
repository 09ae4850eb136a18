import { expect, it } from 'vitest';
import { countPlaywrightTests, skipAll } from './playwright-report.mjs';

const test = (status: string, annotations: object[] = [], results: object[] = [{}]): object => ({
  status,
  annotations,
  results,
});

// The parts we read of what Playwright 1.65 writes.
const report = {
  errors: [{ message: 'SyntaxError in other.spec.ts' }],
  suites: [
    {
      title: 'app.spec.ts',
      file: 'app.spec.ts',
      specs: [{ title: 'opens', file: 'app.spec.ts', tests: [test('expected')] }],
      suites: [
        {
          title: 'tray',
          file: 'app.spec.ts',
          specs: [
            {
              title: 'shows',
              file: 'app.spec.ts',
              tests: [
                test(
                  'unexpected',
                  [],
                  [{ errors: [{ message: '\u001b[31mError\u001b[39m: no tray\n\n  at 1' }] }],
                ),
              ],
            },
            { title: 'blinks', file: 'app.spec.ts', tests: [test('flaky')] },
            {
              title: 'tells',
              file: 'app.spec.ts',
              tests: [test('skipped', [{ type: 'skip', description: 'no bus' }])],
            },
            { title: 'hides', file: 'app.spec.ts', tests: [test('skipped', [{ type: 'fixme' }])] },
            { title: 'ends', file: 'app.spec.ts', tests: [test('skipped', [], [])] },
          ],
        },
      ],
    },
  ],
};

it('counts what passed, what failed in or outside a test, and why the rest was skipped', () => {
  expect(countPlaywrightTests(report)).toEqual({
    passed: 1,
    failed: 3,
    failures: [
      'an error outside of any test: SyntaxError in other.spec.ts',
      'app.spec.ts > tray > shows: Error: no tray at 1',
      'app.spec.ts > tray > blinks',
    ],
    skipped: [
      { name: 'app.spec.ts > tray > tells', reason: 'no bus' },
      { name: 'app.spec.ts > tray > hides', reason: 'no reason given' },
      { name: 'app.spec.ts > tray > ends', reason: 'not reached after an earlier failure' },
    ],
  });
});

it('names every test that a machine cannot run', () => {
  const { skipped } = skipAll(report, 'no screen');
  expect(skipped).toHaveLength(6);
  expect(skipped[0]).toEqual({ name: 'app.spec.ts > opens', reason: 'no screen' });
});
