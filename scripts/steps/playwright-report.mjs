import { nameFailure } from './tally.mjs';

/**
 * What we read of Playwright's JSON report.
 * @typedef {{ message?: string, location?: { file: string } }} Failure
 * @typedef {{ errors?: Failure[] }} Result
 * @typedef {{ type: string, description?: string }} Annotation
 * @typedef {{ status: 'expected' | 'unexpected' | 'flaky' | 'skipped', annotations: Annotation[], results: Result[] }} Test
 * @typedef {{ title: string, file: string, specs?: { title: string, file: string, tests: Test[] }[], suites?: Suite[] }} Suite
 * @typedef {{ suites: Suite[], errors: Failure[] }} Report
 */

/**
 * @param {unknown} report
 * @returns {import('./tally.mjs').StepResult}
 */
export function countPlaywrightTests(report) {
  const { suites, errors } = /** @type {Report} */ (report);
  let passed = 0;
  const failures = errors.map(({ message }) =>
    nameFailure('an error outside of any test', message),
  ); // a file that does not load, say
  const skipped = [];
  for (const { name, test } of suites.flatMap((suite) => listTests(suite, []))) {
    if (test.status === 'expected') passed += 1;
    else if (test.status === 'skipped') skipped.push({ name, reason: reasonOf(test) });
    else
      failures.push(
        nameFailure(name, test.results.flatMap(({ errors = [] }) => errors)[0]?.message),
      ); // "flaky" is a fault that a retry would hide
  }
  return { passed, failed: failures.length, skipped, failures };
}

/**
 * Every error of its tests with the test's name, and those outside of any.
 * @param {unknown} report
 * @returns {{ name: string, error: Failure }[]}
 */
export function listErrors(report) {
  const { suites, errors } = /** @type {Report} */ (report);
  return [
    ...suites
      .flatMap((suite) => listTests(suite, []))
      .flatMap(({ name, test }) =>
        test.results.flatMap(({ errors: its = [] }) => its.map((error) => ({ name, error }))),
      ),
    ...errors.map((error) => ({ name: 'an error outside of any test', error })),
  ];
}

/**
 * All tests of a report with their names, for those that can not be run here.
 * @param {unknown} report
 * @param {string} reason
 */
export function skipAll(report, reason) {
  const { suites } = /** @type {Report} */ (report);
  const skipped = suites
    .flatMap((suite) => listTests(suite, []))
    .map(({ name }) => ({ name, reason }));
  return { passed: 0, failed: 0, skipped };
}

/**
 * @param {Suite} suite
 * @param {readonly string[]} parents
 * @returns {{ name: string, test: Test }[]}
 */
function listTests({ title, specs = [], suites = [] }, parents) {
  const path = [...parents, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map((test) => ({ name: [...path, spec.title].join(' > '), test })),
  );
  return [...own, ...suites.flatMap((suite) => listTests(suite, path))];
}

function reasonOf(/** @type {Test} */ { annotations, results }) {
  const said = annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  if (said !== undefined) return said.description ?? 'no reason given';
  return results.length === 0 ? 'not reached after an earlier failure' : 'no reason given';
}
