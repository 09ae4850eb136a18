// npm run dev: the real app, rebuilt when a source changes. A change to the window reloads it; one to main or preload
// starts the app anew. There is no dev server, and so no exception for one in the app's protocol and policy.
import { createHash } from 'node:crypto';
import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onCleanup, runScript } from './lib/cleanups.mjs';
import { listFiles } from './lib/files.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';
import { describeError } from './lib/refusal.mjs';
import { say } from './lib/say.mjs';
import { ensureElectron } from './setup/app-setup.mjs';
import { build, ensureBuild, SOURCE_FOLDERS } from './setup/build.mjs';
import { requireDisplay } from './setup/display.mjs';
import { launchApp } from './setup/launch.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';

/** Editors write a file in several steps, and people save several files. */
const SETTLE_MS = 100;

runScript(async () => {
  requireDisplay();
  await ensureNodeModules();
  const runtime = await ensureElectron();
  await ensureBuild();

  let app = open(runtime);
  let shown = await fingerprintOutputs();
  const changes = watchSources();
  for (;;) {
    const event = await Promise.race([changes.next(), app.exited]);
    if (typeof event === 'number') return event; // the person closed the window
    if (!(await rebuild())) continue;
    const before = shown;
    shown = await fingerprintOutputs();
    if (shown.main !== before.main) {
      say('Starting anew …');
      await app.quit();
      app = open(runtime);
    } else if (shown.window !== before.window) {
      await app.reload();
      say('Reloaded.');
    }
  }
});

/** Opens the app with Chromium's debugging port, on a number it picks itself and tells on stderr. */
function open(/** @type {import('./setup/electron-runtime.mjs').Runtime} */ runtime) {
  const args = ['--remote-debugging-port=0', ROOT, ...process.argv.slice(2)];
  const { child, quit, exited } = launchApp(runtime, args, ['ignore', 'inherit', 'pipe']);
  /** @type {Promise<string>} */
  const address = new Promise((resolve) => {
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      process.stderr.write(chunk);
      text = (text + chunk).slice(-10_000);
      const [, found] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const reload = async () => {
    const told = await Promise.race([address, exited]);
    if (typeof told === 'string') await reloadPages(told); // otherwise it ended before there was anything to reload
  };
  return { quit, exited, reload };
}

async function reloadPages(/** @type {string} */ address) {
  const { chromium } = await import('@playwright/test');
  // Electron does not manage browser contexts, which Playwright's defaults would ask of it.
  const browser = await chromium.connectOverCDP(address, { noDefaults: true });
  try {
    for (const context of browser.contexts())
      for (const page of context.pages()) await page.reload();
  } finally {
    await browser.close(); // lets go of the app; it stays open
  }
}

/** Builds. A build that fails says why and leaves the app as it is. */
async function rebuild() {
  try {
    await build();
    return true;
  } catch (error) {
    say(describeError(error));
    return false;
  }
}

async function fingerprintOutputs() {
  return {
    main: await fingerprint([inRoot('out', 'main'), inRoot('out', 'preload')]),
    window: await fingerprint([inRoot('out', 'renderer')]),
  };
}

async function fingerprint(/** @type {readonly string[]} */ folders) {
  const hash = createHash('sha256');
  for (const path of await listFiles(folders)) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

/**
 * Answers, each time it is asked, once sources have changed since it was last asked and come to rest. Each folder is
 * watched by itself: Node's recursive watch on Linux loses a file that an editor replaces instead of rewriting it.
 */
function watchSources() {
  let isChanged = false;
  let wake = () => {};
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();
  onCleanup(() => watchers.forEach((watcher) => watcher.close()));
  const onChange = () => {
    isChanged = true;
    wake();
  };
  const watchNewFolders = async () => {
    for (const folder of await listSourceFolders()) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, onChange);
      // A folder that was removed: its parent tells the change.
      watcher.on('error', () => watchers.delete(folder));
      watchers.set(folder, watcher);
    }
  };
  const next = async () => {
    await watchNewFolders();
    if (!isChanged) {
      await new Promise((/** @type {(value: void) => void} */ resolve) => {
        wake = resolve;
      });
    }
    while (isChanged) {
      isChanged = false;
      await wait(SETTLE_MS);
    }
  };
  return { next };
}

async function listSourceFolders() {
  const tops = SOURCE_FOLDERS.map((name) => inRoot(name)).filter((path) => existsSync(path));
  const below = await Promise.all(
    tops.map(async (top) => {
      const entries = await readdir(top, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return [...tops, ...below.flat()];
}
