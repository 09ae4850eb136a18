import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextOrNull } from '../lib/files.mjs';
import { withLock } from '../lib/lock.mjs';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/processes.mjs';
import { say } from '../lib/say.mjs';
import { appEnvironment } from './launch.mjs';

/** Where main looks for it (src/main/index.ts). */
const CACHE = join('out', 'code-cache');
const WRITER = join('out', 'main', 'write-code-cache.cjs');

/**
 * Has the runtime compile main's code ahead, unless it did so for this very build. Without it the app starts all the same,
 * some hundredths of a second later; so a runtime that cannot do it is a line on the screen and no reason to stop.
 * @param {import('./electron-runtime.mjs').Runtime} runtime
 */
export async function ensureCodeCache(runtime, root = ROOT) {
  const wanted = await fingerprint(runtime, root);
  const stamp = join(root, CACHE, '.stamp');
  if ((await readTextOrNull(stamp)) === wanted) return;
  await withLock(join(root, 'out', '.setup-lock'), async () => {
    const { code, text } = await run(runtime.executable, [join(root, WRITER)], {
      cwd: root,
      env: { ...appEnvironment(runtime), ELECTRON_RUN_AS_NODE: '1' },
    });
    if (code === 0) await writeFile(stamp, wanted);
    else say(`Could not compile ahead (exit code ${String(code)}): ${text.trim()}`);
  });
}

/** @param {import('./electron-runtime.mjs').Runtime} runtime @param {string} root */
async function fingerprint({ executable }, root) {
  const files = [executable, join(root, WRITER), join(root, 'out', 'main', 'chunks')];
  const facts = await Promise.all(files.map((file) => stat(file)));
  return facts.map(({ size, mtimeMs }, i) => `${files[i] ?? ''} ${size} ${mtimeMs}\n`).join('');
}
