import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listEndToEndTests, runPlaywright } from '../end-to-end/playwright.mjs';
import { withSession } from '../end-to-end/session.mjs';
import { exists } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { countPlaywrightTests, skipAll } from './playwright-report.mjs';
import { failedStep, judgeTests, sum } from './tally.mjs';

/**
 * The end-to-end tests on a machine that cannot run them: each is skipped, and all say why.
 * @param {string} reason
 * @returns {import('./runner.mjs').Step}
 */
export const skippedEndToEndTests = (reason) => ({
  name: 'end-to-end tests',
  run: async () => skipAll(await listEndToEndTests(), reason),
});

/**
 * The tests on the built app in real Electron, and then the question whether it left anything running.
 * @param {import('../setup/electron-runtime.mjs').Runtime} runtime
 * @param {readonly string[]} [args] For Playwright.
 * @returns {import('./runner.mjs').Step}
 */
export const endToEndTests = (runtime, args = []) => ({
  name: 'end-to-end tests',
  run: async () => {
    const results = inRoot('test-results');
    await rm(results, { recursive: true, force: true });
    const { value, leftBehind } = await withSession(runtime, async (session) => {
      const { code, report } = await runPlaywright(session, ['--project=e2e', ...args]);
      const written = join(session.home, 'results');
      if (await exists(written)) await cp(written, results, { recursive: true });
      return judgeTests(code, report === null ? null : countPlaywrightTests(report));
    });
    if (leftBehind.length === 0) return value;
    const text = [value.text ?? '', ...leftBehind].join('\n').trim();
    return { ...sum([value, failedStep(text)]), text };
  },
});
