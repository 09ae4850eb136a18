// npm run screenshots -- [Playwright's arguments]: takes the pictures in docs/screenshots anew, from the real app.
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runPlaywright } from './end-to-end/playwright.mjs';
import { withSession } from './end-to-end/session.mjs';
import { runScript } from './lib/cleanups.mjs';
import { inRoot } from './lib/paths.mjs';
import { Refusal } from './lib/refusal.mjs';
import { say } from './lib/say.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureTestTools } from './setup/tools.mjs';

runScript(async () => {
  await ensureNodeModules();
  await ensureTestTools();
  const runtime = await ensureHeadlessElectron();
  await ensureApp(runtime);
  const { leftBehind } = await withSession(runtime, async (session) => {
    const { code } = await runPlaywright(session, [
      '--project=screenshots',
      ...process.argv.slice(2),
    ]);
    if (code !== 0)
      throw new Refusal(`Not all pictures could be taken (exit code ${String(code)}).`);
    const taken = join(session.home, 'screenshots');
    await mkdir(inRoot('docs', 'screenshots'), { recursive: true });
    for (const name of await readdir(taken)) {
      await copyFile(join(taken, name), inRoot('docs', 'screenshots', name));
      say(`docs/screenshots/${name}`);
    }
  });
  for (const line of leftBehind) say(line);
  return leftBehind.length === 0 ? 0 : 1;
});
