import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from '../lib/cleanups.mjs';
import { readJsonOrNull } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { judgeTests } from './tally.mjs';

/**
 * Unit and integration tests.
 * @param {'capture' | 'inherit'} output Kept and shown only after a failure, or shown as it comes.
 * @returns {import('./runner.mjs').Step}
 */
export const unitTests = (output) => ({
  name: 'unit and integration tests',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leasehold-report-'));
    const drop = onCleanup(() => rm(folder, { recursive: true, force: true }));
    const report = join(folder, 'vitest.json');
    const vitest = inRoot('node_modules', 'vitest', 'vitest.mjs');
    const reporters = [
      '--reporter=default',
      `--reporter=${inRoot('scripts', 'steps', 'vitest-reporter.mjs')}`,
    ];
    try {
      const { code, text } = await run(process.execPath, [vitest, 'run', ...reporters], {
        cwd: ROOT,
        env: { ...process.env, LEASEHOLD_UNIT_REPORT: report },
        output,
      });
      const counts = /** @type {import('./tally.mjs').StepResult | null} */ (
        await readJsonOrNull(report)
      );
      const result = judgeTests(code, counts);
      return result.failed > 0 && result.text === undefined ? { ...result, text } : result;
    } finally {
      await drop();
    }
  },
});
