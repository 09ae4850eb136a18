import { describeError, Refusal } from '../lib/refusal.mjs';
import { formatDuration } from '../lib/say.mjs';
import { conclude, failedStep, sum } from './tally.mjs';

/**
 * @typedef {import('./tally.mjs').StepResult} StepResult
 * @typedef {{ name: string, run: () => Promise<StepResult> }} Step
 */

/** Two cores is what we plan for; more at once only makes each slower. */
const AT_ONCE = 2;

/**
 * Runs one step and says how it went. Whatever goes wrong in it is a failed step, so that the ones after it still run.
 * @param {Step} step
 * @returns {Promise<StepResult>}
 */
export async function runStep({ name, run }) {
  const startedAtMs = Date.now();
  const result = await run().catch((/** @type {unknown} */ error) =>
    failedStep(
      error instanceof Refusal
        ? describeError(error)
        : String(error instanceof Error ? error.stack : error),
    ),
  );
  const verdict =
    result.failed > 0
      ? 'FAILED'
      : result.passed === 0 && result.skipped.length > 0
        ? 'skipped'
        : 'ok';
  const duration = formatDuration(Date.now() - startedAtMs);
  process.stdout.write(`${verdict.padEnd(8)} ${name.padEnd(28)} ${duration}\n`);
  if (result.text) process.stdout.write(`${result.text.trimEnd()}\n\n`);
  const { failures = [] } = result;
  return result.failed > 0 && failures.length === 0 ? { ...result, failures: [name] } : result;
}

/**
 * Runs steps that do not touch each other's files, two at a time.
 * @param {readonly Step[]} steps
 */
export async function runTogether(steps) {
  /** @type {StepResult[]} */
  const results = [];
  const waiting = [...steps];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      results.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/**
 * Runs steps one after the other, the next one whatever became of the one before.
 * @param {readonly Step[]} steps
 */
export async function runInOrder(steps) {
  const results = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

/**
 * Prints the closing lines of a run and answers its exit code.
 * @param {readonly StepResult[]} results
 */
export function finish(results) {
  const { lines, code } = conclude(sum(results));
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return code;
}
