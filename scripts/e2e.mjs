// npm run e2e -- [Playwright's arguments]: the end-to-end tests alone, set up as in npm test.
import { runScript } from './lib/cleanups.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureTestTools } from './setup/tools.mjs';
import { endToEndTests } from './steps/end-to-end.mjs';
import { runStep } from './steps/runner.mjs';
import { conclude } from './steps/tally.mjs';

runScript(async () => {
  await ensureNodeModules();
  await ensureTestTools();
  const runtime = await ensureHeadlessElectron();
  await ensureApp(runtime);
  const { lines, code } = conclude(await runStep(endToEndTests(runtime, process.argv.slice(2))));
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return code;
});
