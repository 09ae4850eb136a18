// npm run check: what to run before each commit. The steps are those of npm test, less what needs a window.
import { runScript } from './lib/cleanups.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { checks } from './steps/checks.mjs';
import { runTogether } from './steps/runner.mjs';
import { conclude, sum } from './steps/tally.mjs';
import { unitTests } from './steps/unit.mjs';

runScript(async () => {
  await ensureNodeModules();
  const { lines, code } = conclude(sum(await runTogether([unitTests('capture'), ...checks])));
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return code;
});
