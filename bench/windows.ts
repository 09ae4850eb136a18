// Starts the app and a bare Electron window the same way, so that they can be compared within one run.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';

const APP = resolve(import.meta.dirname, '..');
const electron = createRequire(import.meta.url)('electron') as string; // outside Electron, its path
const extraArgs = JSON.parse(process.env['LEASEHOLD_ELECTRON_ARGS'] ?? '[]') as string[];

/**
 * A debugger that attaches, and even one that asks for the list of pages, takes time from the processes that are being
 * measured. So none does while they start; a slower start is still waited for, only less undisturbed.
 */
const UNDISTURBED_MS = 2000;

const DEBUGGED = '--remote-debugging-port=0';

/** Two animation frames after its script runs, an empty page has been painted once. */
const BARE_PAGE = `data:text/html,<!doctype html><title>bare</title><script>
requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('leasehold:first-useful-paint')));
</script>`;

const BARE_MAIN = `const { app, BrowserWindow } = require('electron');
app.setPath('userData', process.env.LEASEHOLD_DATA_FOLDER);
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900 });
  window.loadURL(${JSON.stringify(BARE_PAGE.replaceAll('\n', ' '))});
});
`;

/** The built app, a bare window, and the built app as a person starts it. */
export type Subject = 'app' | 'bare' | 'npm start';

/** Folders that live as long as a benchmark, so that a second start is as warm as it is for a person. */
export interface Stage {
  /** The app's data folder; what lies in it before the first start is found by it. */
  readonly appFolder: string;
  start(subject: Subject): Promise<StartedWindow>;
  dispose(): void;
}

export interface StartedWindow {
  readonly page: Page;
  readonly pid: number;
  /** From asking the system for the process to its first useful paint. */
  readonly firstPaintMs: number;
  close(): Promise<void>;
}

export function prepareStage(): Stage {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
  const bare = join(root, 'bare-app');
  writeBareApp(bare);
  const appData = join(root, 'app-data');
  const direct = (folder: string): string[] => [electron, ...extraArgs, DEBUGGED, folder];
  const starts: Record<Subject, () => Promise<StartedWindow>> = {
    app: () => start(direct(APP), { LEASEHOLD_DATA_FOLDER: appData }),
    bare: () => start(direct(bare), { LEASEHOLD_DATA_FOLDER: join(root, 'bare-data') }),
    'npm start': () =>
      start(['npm', 'start', '--', DEBUGGED], {
        LEASEHOLD_DATA_FOLDER: appData,
        ELECTRON_OVERRIDE_DIST_PATH: undefined, // it looks for its Electron itself
      }),
  };
  return {
    appFolder: appData,
    start: (subject) => starts[subject](),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

function writeBareApp(folder: string): void {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bare', version: '1.0.0', main: 'main.cjs' }),
  );
  writeFileSync(join(folder, 'main.cjs'), BARE_MAIN);
}

async function start(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StartedWindow> {
  const startedAtMs = Date.now();
  const child = spawn(command, args, {
    cwd: APP,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: command === 'npm',
  });
  const stop = async (): Promise<void> => {
    // Not its exit: the app that npm started holds the same stderr, and may end a moment after it.
    const gone = once(child, 'close');
    if (child.exitCode !== null || child.pid === undefined) return;
    // As Ctrl+C does: npm's shell would not pass it on. The app leads a group of its own, which our script ends.
    process.kill(command === 'npm' ? -child.pid : child.pid, 'SIGTERM');
    await gone;
  };
  try {
    return await follow(child, startedAtMs, stop);
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function follow(
  child: ChildProcess,
  startedAtMs: number,
  stop: () => Promise<void>,
): Promise<StartedWindow> {
  const address = await debuggerAddress(child);
  await new Promise((resolve) => setTimeout(resolve, UNDISTURBED_MS));
  await pageToAttachTo(address);
  const browser = await chromium.connectOverCDP(address, {
    noDefaults: true, // Electron answers no browser-wide settings
  });
  const page = await firstPage(browser);
  await page.waitForFunction(() => performance.getEntriesByName('leasehold:first-useful-paint')[0]);
  const paintedAtMs = await page.evaluate(
    () =>
      performance.timeOrigin +
      (performance.getEntriesByName('leasehold:first-useful-paint')[0]?.startTime ?? NaN),
  );
  return {
    page,
    pid: child.pid ?? 0,
    firstPaintMs: paintedAtMs - startedAtMs,
    close: stop,
  };
}

/** Electron prints where its debugger listens. */
function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let said = '';
    child.stderr?.setEncoding('utf8');
    child.stderr?.on('data', (text: string) => {
      said += text;
      const address = /DevTools listening on (\S+)/.exec(said)?.[1];
      if (address !== undefined) done(address);
    });
    child.once('exit', (code) => fail(new Error(`Electron ended (${String(code)}): ${said}`)));
  });
}

/** Playwright waits for ever for a page that comes up while it attaches; so it attaches when the page is there. */
async function pageToAttachTo(address: string): Promise<void> {
  const { host } = new URL(address);
  for (;;) {
    const targets = (await (await fetch(`http://${host}/json/list`)).json()) as { url: string }[];
    if (targets.some(({ url }) => /^(?:leasehold|data):/.test(url))) return;
  }
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('Electron shows no window');
  return context.pages()[0] ?? context.waitForEvent('page');
}

/** A process and all that descend from it. */
export function processTree(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== null) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
  return tree;
}

function parentOf(pid: number): number | null {
  const stat = readOrNull(`/proc/${String(pid)}/stat`);
  const afterName = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return afterName?.[1] === undefined ? null : Number(afterName[1]);
}

/** Memory that is there because of this process: shared pages count in part, so a sum over processes is honest. */
export function proportionalMiB(pid: number): number {
  const rollup = readOrNull(`/proc/${String(pid)}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup ?? '')?.[1] ?? 0) / 1024;
}

export function executableOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${String(pid)}/exe`);
  } catch {
    return null; // gone meanwhile
  }
}

/** Processes come and go while we look. */
function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
