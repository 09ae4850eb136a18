// npm run package [-- FOLDER]: the app as a folder that runs without Node and without this clone, its fuses set.
import { resolve } from 'node:path';
import { runScript } from './lib/cleanups.mjs';
import { inRoot } from './lib/paths.mjs';
import { Refusal } from './lib/refusal.mjs';
import { formatDuration, say } from './lib/say.mjs';
import { ensureApp, ensureElectron } from './setup/app-setup.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';

runScript(async () => {
  // TODO: for macOS and Windows when somebody can start what comes out: there the archive's digest goes into the bundle, too.
  if (process.platform !== 'linux') {
    throw new Refusal(
      'Leasehold is packed on Linux only, for Linux: elsewhere start it with npm start.',
    );
  }
  await ensureNodeModules();
  const runtime = await ensureElectron();
  await ensureApp(runtime);
  const { packageApp } = await import('./packaging/package-app.mjs');
  const named = process.argv[2];
  const folder =
    named === undefined
      ? inRoot('dist', `leasehold-linux-${process.arch}`)
      : resolve(process.env['INIT_CWD'] ?? process.cwd(), named);
  const startedAtMs = Date.now();
  say(
    `${await packageApp(runtime, folder)}: packed in ${formatDuration(Date.now() - startedAtMs)}.`,
  );
  return 0;
});
