// npm start: sets up what is missing, then opens the window.
import { runScript } from './lib/cleanups.mjs';
import { ROOT } from './lib/paths.mjs';
import { ensureApp, ensureElectron } from './setup/app-setup.mjs';
import { requireDisplay } from './setup/display.mjs';
import { launchApp } from './setup/launch.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';

runScript(async () => {
  requireDisplay();
  await ensureNodeModules();
  const runtime = await ensureElectron();
  await ensureApp(runtime);
  return await launchApp(runtime, [ROOT, ...process.argv.slice(2)]).exited;
});
