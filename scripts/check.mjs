// npm run check [-- --all]: what to run before each commit. The steps are those of npm test, less what needs a window,
// and less what passed before with all that it depends on unchanged.
import { runScript } from './lib/cleanups.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { checks } from './steps/checks.mjs';
import { finish, runTogether } from './steps/runner.mjs';
import { unitTests } from './steps/unit.mjs';

runScript(async () => {
  await ensureNodeModules();
  const isAll = process.argv.includes('--all');
  const steps = [unitTests({ output: 'capture', isAll }), ...checks({ isAll })];
  return finish(await runTogether(steps));
});
