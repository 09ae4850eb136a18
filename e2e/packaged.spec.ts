import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCurrentFuseWire } from '@electron/fuses';
import { chromium, type Page } from '@playwright/test';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { FUSES } from '../scripts/packaging/fuses.mjs';
import { packageApp } from '../scripts/packaging/package-app.mjs';
import { expect, PATIENT, readLog, test } from './fixtures/app.ts';
import { addBoxAt } from './fixtures/real-box.ts';

// What `npm run package` makes: its fuses are read from the very executable, and shown to hold by starting it.

test.skip(process.platform !== 'linux', 'Leasehold is packed on Linux only');

/** How a fuse stands in the binary: the character one or zero. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);

const extraArgs = JSON.parse(process.env['LEASEHOLD_ELECTRON_ARGS'] ?? '[]') as string[];

let folder = '';
let executable = '';

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-packaged-'));
  const electron = createRequire(import.meta.url)('electron') as string;
  const isFallback = process.env['LEASEHOLD_FALLBACK_RUNTIME'] === '1';
  const runtime = { folder: dirname(electron), executable: electron, isFallback };
  executable = await packageApp(runtime, join(folder, 'app'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly child: ChildProcess;
  readonly data: string;
  /** What it said on its standard error so far. */
  readonly said: () => string;
  readonly page: Page;
}

/** Starts it as a person does; `args` and `env` are what somebody would talk it into something with. */
async function withPacked(
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: object },
  action: (packed: Packed) => Promise<void>,
): Promise<void> {
  const data = mkdtempSync(join(folder, 'data-'));
  writeFileSync(join(data, 'settings.json'), '{ "demo": { "isOn": false } }');
  // Playwright drives Electron through Node's debugger, which a packed app does not open: so its page, through Chromium's.
  const child = spawn(executable, [...extraArgs, '--remote-debugging-port=0', ...args], {
    env: { ...process.env, LEASEHOLD_DATA_FOLDER: data, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  const address = new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`it ended by itself: ${said}`)));
  });
  try {
    const found = await address;
    // A window that comes up while Playwright attaches is one it waits for without end.
    await expect.poll(() => readLog(data)).toContain('loaded');
    // Told at once by Node; to a program that is being debugged Playwright would connect in vain.
    expect(said).not.toContain('Debugger listening');
    const browser = await chromium.connectOverCDP(found, { noDefaults: true, ...PATIENT });
    const [context] = browser.contexts();
    context?.setDefaultTimeout(PATIENT.timeout);
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    if (page === undefined) throw new Error('it has no page');
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await action({ child, data, said: () => said, page });
    await browser.close();
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

test('19 · has its fuses set, read from the packed executable', async () => {
  const wire = await getCurrentFuseWire(executable);
  for (const [fuse, isOn] of Object.entries(FUSES)) {
    const state = wire[Number(fuse) as keyof typeof wire];
    // An older runtime may lack the newest fuses; none that exists may be wrong.
    if (state === undefined) continue;
    expect([fuse, state]).toEqual([fuse, isOn ? ON : OFF]);
  }
});

test('19 · is no Node, whatever the environment says', () => {
  const runAsNode = (): string =>
    execFileSync(executable, ['-p', '6 * 7'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  // It is a desktop app, which ends without a display.
  expect(runAsNode).toThrow();
});

test('19 · opens no debugger and takes no options of Node’s', async () => {
  const evil = join(folder, 'evil.cjs');
  const mark = join(folder, 'it-ran');
  writeFileSync(evil, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  await withPacked(
    {
      args: ['--inspect=0'],
      env: { NODE_OPTIONS: `--require=${evil} --inspect=0` },
    },
    async ({ child, said }) => {
      // Without the fuse it takes some of them.
      expect(said()).toContain('NODE_OPTIONS have been disabled');
      expect(said()).not.toContain('Debugger listening');
      // Node opens a debugger on this signal. To a program that asked for no signal it is the end.
      const ended = once(child, 'exit');
      child.kill('SIGUSR1');
      expect(await ended).toEqual([null, 'SIGUSR1']);
      expect(said()).not.toContain('Debugger listening');
    },
  );
  expect(existsSync(mark)).toBe(false);
});

test('19 · runs nothing but what lies in its archive', async () => {
  const resources = join(dirname(executable), 'resources');
  const [archive, beside] = [join(resources, 'app.asar'), join(resources, 'app')];
  const mark = join(folder, 'it-ran-beside');
  mkdirSync(beside);
  const evil = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); process.exit(7)`;
  writeFileSync(join(beside, 'index.js'), evil);
  writeFileSync(join(beside, 'package.json'), '{ "name": "evil", "main": "index.js" }');
  renameSync(archive, `${archive}.away`);
  try {
    const child = spawn(executable, extraArgs, { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(existsSync(mark)).toBe(false);
  } finally {
    renameSync(`${archive}.away`, archive);
    rmSync(beside, { recursive: true });
  }
});

test('runs from its archive, and reads a person’s file that is called like one', async () => {
  const sshd = await startSshd();
  try {
    const keyFile = join(folder, 'key.asar');
    copyFileSync(sshd.keyFile, keyFile);
    await withPacked({}, async ({ page, data }) => {
      await addBoxAt(page, { ...sshd, keyFile });
      const info = await page.evaluate(() => window.leasehold.call('app:info', {}));
      const isFallbackRuntime = process.env['LEASEHOLD_FALLBACK_RUNTIME'] === '1';
      expect(info).toMatchObject({ ok: true, value: { isFallbackRuntime } });
      // What was compiled ahead lies in the archive, too.
      await expect.poll(() => readLog(data)).toMatch(/loaded {"taken":\d\d,"compiled":0}/);
    });
  } finally {
    await sshd.stop();
  }
});
