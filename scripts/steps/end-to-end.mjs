import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listEndToEndTests, runPlaywright } from '../end-to-end/playwright.mjs';
import { withSession } from '../end-to-end/session.mjs';
import { exists } from '../lib/files.mjs';
import { inRoot } from '../lib/paths.mjs';
import { describeError } from '../lib/refusal.mjs';
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
 * Tests with this in their titles mostly wait: a finding needs half a minute of readings, say. They run beside the others,
 * which would else stand still with them. No more than that at once: it takes two cores to show a window in time.
 */
const WAITS = '@waits';

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
      const parts =
        args.length > 0
          ? [runPart(session, 'chosen', args)]
          : [
              runPart(session, 'acting', [`--grep-invert=${WAITS}`]),
              runPart(session, 'waiting', [`--grep=${WAITS}`]),
            ];
      const judged = await Promise.all(parts);
      const written = join(session.home, 'results');
      if (await exists(written)) await cp(written, results, { recursive: true });
      return { ...sum(judged), text: judged.map(({ text = '' }) => text).join('\n') };
    });
    if (leftBehind.length === 0) return value;
    const text = [value.text, ...leftBehind].join('\n').trim();
    return { ...sum([value, failedStep(text)]), text };
  },
});

/**
 * @param {import('../end-to-end/session.mjs').Session} session
 * @param {string} name
 * @param {readonly string[]} args
 */
async function runPart(session, name, args) {
  try {
    const { code, report } = await runPlaywright(session, ['--project=e2e', ...args], name);
    return judgeTests(code, report === null ? null : countPlaywrightTests(report));
  } catch (error) {
    // Not thrown on: the session would end under the part that still runs.
    return failedStep(describeError(error));
  }
}
