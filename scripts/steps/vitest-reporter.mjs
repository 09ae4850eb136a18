import { writeFile } from 'node:fs/promises';

// Vitest's own JSON report drops why a test was skipped, and does not count a failed hook or import: hence this one. It
// writes a Report. Vitest loads a reporter by its default export.

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {import('./tally.mjs').StepResult} StepResult
 * @typedef {import('../remembered/remembered.mjs').Verdict} Verdict
 * @typedef {{ counts: StepResult, verdicts: Record<string, Verdict> }} Report
 */

export default class LeaseholdReporter {
  async onTestRunEnd(
    /** @type {readonly TestModule[]} */ modules,
    /** @type {readonly unknown[]} */ unhandled,
  ) {
    const path = process.env['LEASEHOLD_UNIT_REPORT'];
    if (path === undefined)
      throw new Error('LEASEHOLD_UNIT_REPORT does not say where to report to');
    /** @type {Report} */
    const report = {
      counts: countTests(modules, unhandled.length),
      verdicts: Object.fromEntries(
        modules.map((module) => [
          module.relativeModuleId,
          judgeFile(countTests([module], 0), unhandled.length),
        ]),
      ),
    };
    await writeFile(path, JSON.stringify(report));
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {number} unhandled Errors outside of any test.
 * @returns {StepResult}
 */
export function countTests(modules, unhandled) {
  let passed = 0;
  const failures = Array.from({ length: unhandled }, () => 'an error outside of any test');
  const skipped = [];
  for (const module of modules) {
    const file = module.relativeModuleId;
    if (module.errors().length > 0) failures.push(file);
    // A hook that fails makes the tests below it "skipped"; the suite is what failed.
    for (const suite of module.children.allSuites())
      if (suite.errors().length > 0) failures.push(`${file} > ${suite.fullName}`);
    for (const test of module.children.allTests()) {
      const result = test.result();
      const name = `${file} > ${test.fullName}`;
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'skipped')
        skipped.push({ name, reason: result.note ?? 'no reason given' });
      else failures.push(name); // one that never came to an end is not a passed one
    }
  }
  return { passed, failed: failures.length, skipped, failures };
}

/**
 * What is known of one file. An error outside of any test may be any file's; a skipped test says nothing.
 * @param {StepResult} counts
 * @param {number} unhandled
 * @returns {Verdict}
 */
function judgeFile({ passed, failed, skipped }, unhandled) {
  if (failed > 0) return 'failed';
  return unhandled > 0 || skipped.length > 0 || passed === 0 ? 'unsure' : 'passed';
}
