// npm run e2e -- [Playwright's arguments]: the end-to-end tests alone, set up as in npm test.
import { runScript } from './lib/cleanups.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureTestTools } from './setup/tools.mjs';
import { endToEndTests } from './steps/end-to-end.mjs';
import { finish, runStep } from './steps/runner.mjs';

runScript(async () => {
  await ensureNodeModules();
  await ensureTestTools();
  const runtime = await ensureHeadlessElectron();
  await ensureApp(runtime);
  return finish([await runStep(endToEndTests(runtime, process.argv.slice(2)))]);
});
