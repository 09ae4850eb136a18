import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findLeftovers } from '../end-to-end/leftovers.mjs';
import { inRoot } from './paths.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-script-'));
});
afterEach(() => rm(folder, { recursive: true }));

const url = (...path: string[]): string =>
  JSON.stringify(pathToFileURL(inRoot('scripts', 'lib', ...path)).href);

/** Starts a script with this body; `say` is its stdout. */
async function startScript(body: string): Promise<ReturnType<typeof spawn>> {
  const path = join(folder, 'script.mjs');
  await writeFile(
    path,
    `import { onCleanup, runScript } from ${url('cleanups.mjs')};
     import { run } from ${url('processes.mjs')};
     import { Refusal } from ${url('refusal.mjs')};
     import { writeFileSync } from 'node:fs';
     const say = (line) => process.stdout.write(line + '\\n');
     runScript(async () => { ${body} });`,
  );
  return spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function finish(
  child: ReturnType<typeof spawn>,
): Promise<{ code: number | null; said: string; complained: string }> {
  let said = '';
  let complained = '';
  child.stdout?.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (complained += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said, complained };
}

describe('a script', () => {
  it('exits with the number it answers, after undoing newest first what was not undone', async () => {
    const child = await startScript(`
      onCleanup(() => say('first'));
      const undo = onCleanup(() => say('undone'));
      onCleanup(async () => say('last'));
      await undo();
      return 3;`);
    expect(await finish(child)).toEqual({ code: 3, said: 'undone\nlast\nfirst\n', complained: '' });
  });

  it('does not cut short what is being undone when it ends', async () => {
    const child = await startScript(`
      const undo = onCleanup(() => new Promise((resolve) => setImmediate(() => { say('undone'); resolve(); })));
      void undo();
      return 0;`);
    expect(await finish(child)).toEqual({ code: 0, said: 'undone\n', complained: '' });
  });

  it('shows a refusal as one sentence and a bug with its stack', async () => {
    const refused = await finish(await startScript(`throw new Refusal('Plug it in.');`));
    expect(refused).toEqual({ code: 1, said: '', complained: 'Plug it in.\n' });
    const broken = await finish(await startScript(`undefined.x;`));
    expect(broken.code).toBe(1);
    expect(broken.complained).toMatch(/^TypeError: .*\n\s+at /);
  });

  it('undoes what it did even when something breaks that nobody waits for', async () => {
    const child = await startScript(`
      onCleanup(() => say('undone'));
      setImmediate(() => { throw new Error('stray'); });
      await new Promise((resolve) => setTimeout(resolve, 600_000));`);
    expect(await finish(child)).toMatchObject({ code: 1, said: 'undone\n' });
  });

  it('ends, after undoing what it did, when nobody reads any more what it says', async () => {
    const undone = join(folder, 'undone');
    const child = await startScript(`
      onCleanup(() => writeFileSync(${JSON.stringify(undone)}, 'yes'));
      for (;;) { say('more'); await new Promise((resolve) => setImmediate(resolve)); }`);
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await readFile(undone, 'utf8')).toBe('yes');
  });

  it.skipIf(process.platform !== 'linux').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'on %s ends what it started, children included, and exits with %i',
    async (signal, code) => {
      const pidFile = join(folder, 'pid');
      // The child starts one of its own, which a signal to the child alone would leave behind.
      const child = await startScript(`
      const command = 'sleep 600 & echo $! > ${pidFile}; echo; wait';
      const started = run('sh', ['-c', command], { output: 'inherit' });
      await started;
      return 0;`);
      if (child.stdout === null) throw new Error('stdout is piped');
      await once(createInterface(child.stdout), 'line');
      child.kill(signal);
      expect((await finish(child)).code).toBe(code);
      const grandchild = Number(await readFile(pidFile, 'utf8'));
      expect(await findLeftovers(({ pid }) => pid === grandchild)).toEqual([]);
    },
  );
});
