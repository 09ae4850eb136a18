import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from './fixtures/app.ts';

test('after quitting, no process, listener or temporary file is left', async ({ apps }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const { app, page, folder } = await apps.start();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  const pid = app.process().pid ?? 0;
  // It may be reached before anything of it works in its folder.
  let homes: string[] = [];
  await expect.poll(() => (homes = demoHomes(ownProcesses(pid))).length).toBeGreaterThan(0);
  const before = ownProcesses(pid);
  const port = await page.evaluate(async () => {
    const opened = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
    if (!opened.ok) throw new Error(opened.error.message);
    const state = opened.value.state as { entries: { box: { address: { port: number } } }[] };
    return state.entries[0]?.box.address.port ?? 0;
  });
  expect(isListening(port)).toBe(true);
  expect(before.length).toBeGreaterThan(3);

  await app.close();

  // Chromium's helpers notice within moments that their main process is gone.
  await expect
    .poll(() => before.filter((each) => existsSync(`/proc/${String(each)}/stat`)))
    .toEqual([]);
  expect(isListening(port)).toBe(false);
  expect(homes.filter((home) => existsSync(home))).toEqual([]);
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.includes('.tmp-'))).toEqual([]);
});

/** Every process below `root`, however it was started, that runs as we do. */
function ownProcesses(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === root) return true;
    }
    return false;
  };
  return pids.filter(isBelow);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // gone while we looked
  }
}

function isListening(port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8').includes(`0100007F:${hex} 00000000:0000 0A`);
}

/** Folders that these processes work in and that are the demo box's. */
function demoHomes(pids: readonly number[]): string[] {
  const found = new Set<string>();
  for (const pid of pids) {
    try {
      const cwd = readlinkSync(`/proc/${String(pid)}/cwd`);
      if (cwd.includes('leasehold-demo')) found.add(cwd);
    } catch {
      continue; // gone while we looked
    }
  }
  return [...found].filter((folder) => existsSync(folder));
}
