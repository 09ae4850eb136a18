import { writeFile } from 'node:fs/promises';

// Vitest's own JSON report drops why a test was skipped, and does not count a failed hook or import: hence this one. It
// writes a StepResult (tally.mjs). Vitest loads a reporter by its default export.

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {import('./tally.mjs').StepResult} StepResult
 */

export default class LeaseholdReporter {
  async onTestRunEnd(
    /** @type {readonly TestModule[]} */ modules,
    /** @type {readonly unknown[]} */ unhandled,
  ) {
    const path = process.env['LEASEHOLD_UNIT_REPORT'];
    if (path === undefined)
      throw new Error('LEASEHOLD_UNIT_REPORT does not say where to report to');
    await writeFile(path, JSON.stringify(countTests(modules, unhandled.length)));
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {number} unhandled Errors outside of any test.
 * @returns {StepResult}
 */
export function countTests(modules, unhandled) {
  let passed = 0;
  let failed = unhandled;
  const skipped = [];
  for (const module of modules) {
    if (module.errors().length > 0) failed += 1;
    // A hook that fails makes the tests below it "skipped"; the suite is what failed.
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) failed += 1;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'skipped') {
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        skipped.push({ name, reason: result.note ?? 'no reason given' });
      } else failed += 1; // one that never came to an end is not a passed one
    }
  }
  return { passed, failed, skipped };
}
