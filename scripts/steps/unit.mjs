import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../lib/cleanups.mjs';
import { readJsonOrNull } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { checkRemembering, describeChecked, TESTS } from '../remembered/remembered.mjs';
import { failedStep, judgeTests, NO_TESTS, sum } from './tally.mjs';

/**
 * Unit and integration tests: all of them, or only the files that have not passed yet with everything they depend on as
 * it is now.
 * @param {{ output: 'capture' | 'inherit', isAll: boolean }} options What the runner prints is kept and shown only after a
 * failure, or shown as it comes.
 * @returns {import('./runner.mjs').Step}
 */
export const unitTests = ({ output, isAll }) => ({
  name: 'unit and integration tests',
  run: async () => {
    const { value, checked, total } = await checkRemembering(
      TESTS,
      { isAll },
      async (files, isEach) => {
        const { result, verdicts } = await runVitest(output, isEach ? [] : files);
        // A file that no project of vitest.config.ts has would otherwise be a test that never runs.
        const silent = files.filter((path) => !verdicts.has(path));
        const value =
          silent.length === 0
            ? result
            : sum([result, failedStep(`Vitest did not run ${silent.join(', ')}.`)]);
        return { value, verdicts };
      },
    );
    const unchanged = total - checked.length;
    if (isAll || value?.text !== undefined) return value ?? failedStep('There is no test.');
    return { ...(value ?? NO_TESTS), unchanged, text: describeChecked(checked, total) };
  },
});

/**
 * @param {'capture' | 'inherit'} output
 * @param {readonly string[]} files None: every one that there is.
 */
async function runVitest(output, files) {
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-report-'));
  const drop = onCleanup(() => rm(folder, { recursive: true, force: true }));
  const report = join(folder, 'vitest.json');
  const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    `--reporter=${inRoot('scripts', 'steps', 'vitest-reporter.mjs')}`,
  ];
  try {
    const { code, text } = await run(process.execPath, [vitest, 'run', ...reporters, ...files], {
      cwd: ROOT,
      niceness: 5,
      env: { ...process.env, LEASEHOLD_UNIT_REPORT: report },
      output,
    });
    const reported = /** @type {import('./vitest-reporter.mjs').Report | null} */ (
      await readJsonOrNull(report)
    );
    const result = judgeTests(code, reported?.counts ?? null);
    // A runner that fails without a failed test has said nothing about any of its files.
    const verdicts = code !== 0 && reported?.counts.failed === 0 ? {} : (reported?.verdicts ?? {});
    return {
      result: result.failed > 0 && result.text === undefined ? { ...result, text } : result,
      verdicts: new Map(Object.entries(verdicts)),
    };
  } finally {
    await drop();
  }
}
