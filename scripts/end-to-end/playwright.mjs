import { join } from 'node:path';
import { readJsonOrNull } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';
import { startXvfb } from './xvfb.mjs';

/**
 * Runs Playwright in a session, on a screen of its own: windows of two runs do not share a clipboard or take each other's
 * focus. Answers its exit code and its JSON report, null if it did not come to write one.
 * @param {import('./session.mjs').Session} session
 * @param {readonly string[]} args
 * @param {string} [name] Tells runs of one session apart.
 */
export async function runPlaywright({ root, node, home, env, user }, args, name = 'run') {
  const report = join(home, `report-${name}.json`);
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const screen = process.platform === 'linux' ? await startXvfb({ ...user, env }) : null;
  try {
    const { code } = await run(node, [cli, 'test', ...args], {
      cwd: root,
      env: {
        ...env,
        ...(screen === null ? {} : { DISPLAY: screen.display }),
        LEASEHOLD_E2E_RESULTS: join(home, 'results', name),
        LEASEHOLD_E2E_REPORT: report,
      },
      ...user,
      output: 'inherit',
    });
    return { code, report: await readJsonOrNull(report) };
  } finally {
    await screen?.stop();
  }
}

/** Playwright's report of the tests that there are, without running one. */
export async function listEndToEndTests() {
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const args = [cli, 'test', '--project=e2e', '--list', '--reporter=json'];
  const { code, stdout, text } = await run(process.execPath, args, { cwd: ROOT });
  if (code !== 0)
    throw new Refusal(`Playwright could not list the end-to-end tests:\n${text.trimEnd()}`);
  return /** @type {unknown} */ (JSON.parse(stdout));
}
