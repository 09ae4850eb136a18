import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, test, type Apps, type RunningApp } from './fixtures/app.ts';
import { addRealBox } from './fixtures/real-box.ts';
import { openTensorboard } from './fixtures/service-page.ts';

// Every connection that any process of the app begins, as the system saw it: none leads to anybody but its boxes.

const STRACE = ['strace', '-f', '-yy', '--seccomp-bpf', '-qq', '-s', '0'];
const CALLS = 'connect,sendto,sendmsg,sendmmsg';

/** Why it cannot be seen here; null: it can. */
function whyUnseen(): string | null {
  if (process.platform !== 'linux') return 'needs strace, which only Linux has';
  const [command = '', ...args] = STRACE;
  const { status, error, stderr } = spawnSync(command, [...args, '-e', CALLS, 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? null : `strace may not look here: ${stderr}`;
}
const unseen = whyUnseen();
test.skip(unseen !== null, unseen ?? '');

/**
 * `connect(7<TCP:[99]>, {… sin_port=htons(22), sin_addr=inet_addr("127.0.0.1")}`, or what is sent from a UDP socket, `sendto(7<UDP:[127.0.0.1:5->127.0.0.1:53]>`.
 * To connect that one sends nothing: Chromium asks the system so whether it has a way, by an address of Google's.
 */
const CONNECTS =
  /connect\(\d+<(?!UDP).*?sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([0-9a-f.:]+)"/g;
const SENDS =
  /send\w+\(\d+<UDP.*?(?:->\[?([0-9a-f.:]+?)\]?:(\d+)\]>|sin6?_port=htons\((\d+)\).*?"([0-9a-f.:]+)")/g;

/** Address and port of whatever was connected or sent to, each once. */
function readTrace(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  const connected = [...text.matchAll(CONNECTS)].map(
    ([, port = '', address = '']) => `${address} ${port}`,
  );
  const sent = [...text.matchAll(SENDS)].map(
    ([, to, toPort, port = '', address = '']) => `${to ?? address} ${toPort ?? port}`,
  );
  return new Set([...connected, ...sent]);
}

const here = (port: number | string): string => `127.0.0.1 ${String(port)}`;

/** What listens on this machine's own address right now. */
function listening(): readonly string[] {
  const LISTENS = /^\s*\d+: 0100007F:([0-9A-F]{4}) \S+ 0A/gm;
  return [...readFileSync('/proc/net/tcp', 'utf8').matchAll(LISTENS)].map(([, port = '']) =>
    here(Number.parseInt(port, 16)),
  );
}

const load = createRequire(import.meta.url);

/** The app with every process of it watched from its first moment. */
async function startWatched(apps: Apps): Promise<{ running: RunningApp; trace: string }> {
  const folder = apps.makeFolder();
  const trace = join(folder, 'trace');
  const runtime = join(folder, 'runtime');
  const electron = load('electron') as string;
  mkdirSync(runtime);
  const file = join(runtime, basename(electron));
  const command = [...STRACE, '-e', CALLS, '-o', trace, electron].map((word) => `'${word}'`);
  writeFileSync(file, `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
  symlinkSync(join(dirname(electron), 'version'), join(runtime, 'version'));
  // Playwright asks the electron package, which answers in this process, and the same ever after.
  const before = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const use = (dist: string | undefined): void => {
    Reflect.deleteProperty(load.cache, load.resolve('electron'));
    if (dist === undefined) delete process.env['ELECTRON_OVERRIDE_DIST_PATH'];
    else process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dist;
  };
  use(runtime);
  try {
    return { running: await apps.start({ folder }), trace };
  } finally {
    use(before);
  }
}

test('connects to its boxes and to nobody else', async ({ apps }) => {
  const { running, trace } = await startWatched(apps);
  const { app, page } = running;
  const shown = await openTensorboard(app, page);
  const sshd = await addRealBox(page);
  try {
    const may = listening();
    await shown.close();
    await app.close();
    const dialled = readTrace(trace);
    expect(dialled).toContain(here(sshd.port));
    expect([...dialled].filter((each) => !may.includes(each))).toEqual([]);
  } finally {
    await sshd.stop();
  }
});

test('would be seen where it called home', async ({ apps }) => {
  const { running, trace } = await startWatched(apps);
  await expect(running.page.getByRole('navigation').first()).toBeVisible();
  await running.app.evaluate(({ session }) => {
    // A session that nobody has locked. The address is one that documents are written with, and leads nowhere.
    const request = session.fromPartition('of the test').fetch('http://192.0.2.1:8080/');
    request.catch(() => undefined);
  });
  await expect.poll(() => [...readTrace(trace)]).toContain('192.0.2.1 8080');
});
