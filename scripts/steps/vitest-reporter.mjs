import { writeFile } from 'node:fs/promises';
import { nameFailure } from './tally.mjs';

// Vitest's own JSON report drops why a test was skipped, and does not count a failed hook or import: hence this one. It
// writes a Report. Vitest loads a reporter by its default export.

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {import('./tally.mjs').StepResult} StepResult
 * @typedef {{ readonly message: string }} Failure
 * @typedef {import('../remembered/remembered.mjs').Verdict} Verdict
 * @typedef {{ counts: StepResult, verdicts: Record<string, Verdict> }} Report
 */

export default class LeaseholdReporter {
  async onTestRunEnd(
    /** @type {readonly TestModule[]} */ modules,
    /** @type {readonly Failure[]} */ unhandled,
  ) {
    const path = process.env['LEASEHOLD_UNIT_REPORT'];
    if (path === undefined)
      throw new Error('LEASEHOLD_UNIT_REPORT does not say where to report to');
    /** @type {Report} */
    const report = {
      counts: countTests(modules, unhandled),
      verdicts: Object.fromEntries(
        modules.map((module) => [
          module.relativeModuleId,
          judgeFile(countTests([module], []), unhandled.length),
        ]),
      ),
    };
    await writeFile(path, JSON.stringify(report));
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {readonly Failure[]} unhandled Errors outside of any test.
 * @returns {StepResult}
 */
export function countTests(modules, unhandled) {
  let passed = 0;
  const failures = unhandled.map(({ message }) =>
    nameFailure('an error outside of any test', message),
  );
  const skipped = [];
  for (const module of modules) {
    const file = module.relativeModuleId;
    const [cause] = module.errors();
    if (cause !== undefined) failures.push(nameFailure(file, cause.message));
    // A hook that fails makes the tests below it "skipped"; the suite is what failed.
    for (const suite of module.children.allSuites())
      for (const { message } of suite.errors().slice(0, 1))
        failures.push(nameFailure(`${file} > ${suite.fullName}`, message));
    for (const test of module.children.allTests()) {
      const result = test.result();
      const name = `${file} > ${test.fullName}`;
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'skipped')
        skipped.push({ name, reason: result.note ?? 'no reason given' });
      else failures.push(nameFailure(name, result.errors?.[0]?.message)); // also one that never came to an end
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
