// npm run bench -- [FILTER]: runs bench/*.bench.ts whose name contains the filter, each as a process of its own, prints a
// table and writes bench/results/. A missed goal is shown, not failed: only a benchmark that breaks is an error.
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { basename, join, relative } from 'node:path';
import { appEnv } from './end-to-end/session.mjs';
import { startXvfb } from './end-to-end/xvfb.mjs';
import { runScript } from './lib/cleanups.mjs';
import { listFiles, readTextOrNull } from './lib/files.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';
import { run } from './lib/processes.mjs';
import { Refusal } from './lib/refusal.mjs';
import { say } from './lib/say.mjs';
import { ensureApp, ensureHeadlessElectron } from './setup/app-setup.mjs';
import { sandboxArgs } from './setup/launch.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureTestTools } from './setup/tools.mjs';

/** @typedef {typeof import('../bench/harness.ts')} Harness */

runScript(async () => {
  await ensureNodeModules();
  await ensureTestTools();
  const runtime = await ensureHeadlessElectron();
  await ensureApp(runtime);

  const filter = process.argv[2] ?? '';
  const files = (await listFiles([inRoot('bench')])).filter(
    (path) => path.endsWith('.bench.ts') && basename(path).includes(filter),
  );
  if (files.length === 0)
    throw new Refusal(`There is no bench/*.bench.ts with "${filter}" in its name.`);

  const screen = process.platform === 'linux' ? await startXvfb() : null;
  const env = {
    ...process.env,
    ...appEnv(runtime, sandboxArgs()),
    ...(screen === null ? {} : { DISPLAY: screen.display }),
  };
  const { parseResult, formatTable } = await loadHarness();
  const results = [];
  let broken = 0;
  for (const path of files) {
    say(`${relative(ROOT, path)} …`);
    const { code, stdout, text } = await run(process.execPath, ['--import', 'tsx', path], {
      cwd: ROOT,
      env,
    });
    const result =
      code === 0 ? parseResult(stdout) : `exit code ${String(code)}\n${text.trimEnd()}`;
    if (typeof result === 'string') {
      say(`${relative(ROOT, path)} broke: ${result}`);
      broken += 1;
    } else results.push(result);
  }
  if (results.length > 0) process.stdout.write(`${formatTable(results)}\n`);
  await writeResults({ machine: await describeMachine(runtime), results });
  return broken === 0 ? 0 : 1;
});

/** TypeScript, which Node 20 reads only with tsx's help; and that is there only now. */
async function loadHarness() {
  const { tsImport } = await import('tsx/esm/api');
  return /** @type {Harness} */ (await tsImport('../bench/harness.ts', import.meta.url));
}

async function describeMachine(
  /** @type {import('./setup/electron-runtime.mjs').Runtime} */ runtime,
) {
  const cores = cpus();
  return {
    system: `${platform()} ${release()} ${arch()}`,
    cpu: cores[0]?.model ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    electron: (await readTextOrNull(join(runtime.folder, 'version')))?.trim() ?? 'unknown',
    isFallbackRuntime: runtime.isFallback,
    commit: await describeCommit(),
  };
}

/** The commit that was measured; null where there is no clone. */
async function describeCommit() {
  const { code, stdout } = await run('git', ['describe', '--always', '--dirty'], { cwd: ROOT });
  return code === 0 ? stdout.trim() : null;
}

async function writeResults(/** @type {object} */ content) {
  const path = inRoot('bench', 'results', `${new Date().toISOString().replaceAll(':', '-')}.json`);
  await mkdir(inRoot('bench', 'results'), { recursive: true });
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
  say(`Written to ${relative(ROOT, path)}.`);
}
