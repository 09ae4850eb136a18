import { join } from 'node:path';
import { readJsonOrNull } from '../lib/files.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';

/**
 * Runs Playwright in a session. Answers its exit code and its JSON report, null if it did not come to write one.
 * @param {import('./session.mjs').Session} session
 * @param {readonly string[]} args
 */
export async function runPlaywright(session, args) {
  const report = join(session.home, 'report.json');
  const cli = join(session.root, 'node_modules', '@playwright', 'test', 'cli.js');
  const { code } = await run(session.node, [cli, 'test', ...args], {
    cwd: session.root,
    env: { ...session.env, LEASEHOLD_E2E_REPORT: report },
    ...session.user,
    output: 'inherit',
  });
  return { code, report: await readJsonOrNull(report) };
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
