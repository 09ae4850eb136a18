import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ name: string, reason: string }} Skipped
 * @typedef {object} StepResult
 * @property {number} passed
 * @property {number} failed
 * @property {readonly Skipped[]} skipped
 * @property {number} [unchanged] Test files that were not run, because they passed before with all that they depend on.
 * @property {readonly string[]} [failures] What failed and why, a line each, where that is known.
 * @property {string} [text] What the person needs to see of it.
 */

export const NO_TESTS = { passed: 0, failed: 0, skipped: [] };

/** Of a message: enough to tell what it was, since the whole of it stands far above in the output. */
const WHY_CHARS = 300;

/**
 * One line on what failed and why. What is cut off by CI is the beginning of the output, and with it the reason.
 * @param {string} name
 * @param {string | undefined} message
 */
export function nameFailure(name, message) {
  if (message === undefined) return name;
  const why = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return `${name}: ${why.join(' ').slice(0, WHY_CHARS)}`;
}

/**
 * A check counts as one failure when it fails and as nothing when it does not: only tests are passed tests.
 * @param {{ code: number, text: string }} outcome
 * @returns {StepResult}
 */
export const judgeCheck = ({ code, text }) =>
  code === 0 ? NO_TESTS : { ...NO_TESTS, failed: 1, text };

/**
 * @param {string} name
 * @param {string} reason
 * @returns {StepResult}
 */
export const skippedStep = (name, reason) => ({ ...NO_TESTS, skipped: [{ name, reason }] });

/**
 * @param {string} text
 * @returns {StepResult}
 */
export const failedStep = (text) => ({ ...NO_TESTS, failed: 1, text });

/**
 * The counts of a test runner, made honest by its exit code: one that fails without a failed test has failed, too.
 * @param {number} code
 * @param {StepResult | null} counts null where it left no report.
 * @returns {StepResult}
 */
export function judgeTests(code, counts) {
  if (counts === null) return failedStep(`It left no report (exit code ${String(code)}).`);
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {readonly StepResult[]} results
 * @returns {StepResult}
 */
export function sum(results) {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.reduce((total, { failed }) => total + failed, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
    failures: results.flatMap(({ failures = [] }) => failures),
    unchanged: results.reduce((total, { unchanged = 0 }) => total + unchanged, 0),
  };
}

/**
 * The closing lines, which name what failed once more, since that is far above in a long run, and the exit code. A run without a single test is no green run.
 * @param {StepResult} total
 */
export function conclude({ passed, failed, skipped, failures: named = [], unchanged = 0 }) {
  const ranNone = passed + failed + unchanged === 0;
  const failures = failed + (ranNone ? 1 : 0);
  const lines = [
    ...skipped.map(({ name, reason }) => `skipped: ${name} (${reason})`),
    ...named.map((name) => `failed: ${name}`),
    ...(ranNone ? ['No test ran, which counts as a failure.'] : []),
    ...(unchanged > 0 ? [`${String(unchanged)} test files passed before and were not run`] : []),
    `${String(passed)} passed, ${String(failures)} failed, ${String(skipped.length)} skipped`,
  ];
  return { lines, code: failures === 0 ? 0 : 1 };
}
