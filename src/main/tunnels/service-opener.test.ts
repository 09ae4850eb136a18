import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../shared/result.ts';
import { tunnelHandlers } from '../app/tunnel-handlers.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import type { BoxTunnels } from './box-tunnels.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { ServiceOpener } from './service-opener.ts';
import { askTensorboard } from './tensorboard.ts';
import { makeHome, withFreeUsualPorts, type TestHome } from './tensorboard.fixture.ts';
import { connectTo, isListening, openTunnels } from './tunnels.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('what a box serves', () => {
  let home: TestHome;
  let sshd: TestSshd;
  let hub: StreamHub;
  let tunnels: BoxTunnels;
  let connection: SshConnection;
  let opener: ServiceOpener;
  let secrets: string[];
  /** Where a stand-in was started; whatever a test forgot is ended by its port's owner. */
  let started: number[];

  async function setUp(options = {}): Promise<void> {
    home = makeHome(options);
    sshd = await startSshd(home.place);
    connection = await login();
    tunnels.useConnection(connection);
  }

  const login = async (): Promise<SshConnection> =>
    withFreeUsualPorts(await connectTo(sshd.port, sshd));

  beforeEach(() => {
    hub = new StreamHub();
    secrets = [];
    started = [];
    opener = new ServiceOpener({
      scripts: onboxScripts,
      eventFolders: () => [],
      registerSecret: (secret) => void secrets.push(secret),
    });
    tunnels = openTunnels(hub);
  });
  afterEach(async () => {
    for (const pid of started) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // the test ended it itself
      }
    }
    await tunnels.close();
    connection.close();
    await connection.closed;
    await sshd.stop();
    home.remove();
    hub.dispose();
  });

  async function start(logdir: string): Promise<number> {
    const port = await freePort();
    const report = await opener.start(tunnels, { logdir, port });
    if (!report.ok) throw new Error(`${report.error.message} ${report.error.detail ?? ''}`);
    const ours = report.value.processes.find(({ isOurs, ports }) => isOurs && ports.includes(port));
    if (ours === undefined) throw new Error('it does not show');
    started.push(ours.pid);
    return ours.pid;
  }

  it('starts TensorBoard so that it outlives the link, opens a tunnel to it, and ends it again', async () => {
    await setUp();
    const run = home.addRun('exp/a');
    const pid = await start(join(home.home, 'exp'));
    // In a session of its own, and not a child of anything that goes with the link.
    expect(execFileSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toBe(
      String(pid),
    );
    connection.close();
    await connection.closed;
    connection = await login();
    tunnels.useConnection(connection);
    const looked = await opener.look(tunnels);
    if (!looked.ok) throw new Error(looked.error.message);
    expect(looked.value.serving).toMatchObject({ runs: 1, logdir: join(home.home, 'exp') });
    expect(looked.value.finding).toMatchObject({ kind: 'clear', cause: 'shows-runs' });
    expect(looked.value.eventFolders).toEqual([run]);
    const page = await opener.pageOfTensorboard(tunnels, 'train-a');
    if (!page.ok) throw new Error(page.error.message);
    expect(await (await fetch(`${page.value.origin}/data/runs`)).json()).toEqual(['a']);
    const again = await opener.pageOfTensorboard(tunnels, 'train-a');
    expect(again).toEqual(page);
    expect(tunnels.rows).toHaveLength(1);
    expect(await opener.stop(tunnels, pid)).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
    expect(readdirSync(join(home.home, '.local/state/leasehold/tensorboard'))).toEqual([
      expect.stringMatching(/^\d+\.log$/),
    ]);
  });

  it('sees no TensorBoard of another home on the same machine', async () => {
    await setUp();
    const other = makeHome();
    other.addRun('b');
    const stranger = spawn(
      join(other.home, 'bin/tensorboard'),
      ['--logdir', other.home, '--port', String(await freePort()), '--host', '127.0.0.1'],
      { env: { ...process.env, HOME: other.home }, stdio: 'ignore' },
    );
    await once(stranger, 'spawn');
    await start(home.home);
    const looked = await opener.look(tunnels);
    const gone = once(stranger, 'exit');
    stranger.kill();
    await gone;
    other.remove();
    expect(looked.ok && looked.value.processes).toHaveLength(1);
  });

  it('explains an empty panel by the folder and mends it with one link', async () => {
    await setUp();
    home.addRun('exp/a');
    execFileSync('mkdir', [join(home.home, 'tf-logs')]);
    await start(join(home.home, 'tf-logs'));
    const looked = await opener.look(tunnels);
    if (!looked.ok) throw new Error(looked.error.message);
    expect(looked.value.finding).toMatchObject({ kind: 'found', cause: 'wrong-folder' });
    const link = looked.value.finding.fixes.find(({ kind }) => kind === 'link');
    if (link?.kind !== 'link') throw new Error('no link offered');
    expect(link).toEqual({
      kind: 'link',
      from: join(home.home, 'exp/a'),
      into: join(home.home, 'tf-logs'),
    });
    const mended = await opener.link(tunnels, link);
    expect(mended).toMatchObject({ ok: true, value: { finding: { cause: 'shows-runs' } } });
    expect(readlinkSync(join(home.home, 'tf-logs/a'))).toBe(link.from);
    // A second time is the same as once, and what is something else is not replaced.
    expect(await opener.link(tunnels, link)).toMatchObject({ ok: true });
    const other = { ...link, from: home.addRun('other/a') };
    expect(await opener.link(tunnels, other)).toMatchObject({ ok: false });
    expect(readlinkSync(join(home.home, 'tf-logs/a'))).toBe(link.from);
  });

  it('ends no process that it did not start', async () => {
    await setUp();
    expect(await opener.stop(tunnels, process.pid)).toMatchObject({
      ok: false,
      error: { code: 'not-ours-to-stop' },
    });
  });

  it('ends no process that was given the number of one that it started', async () => {
    await setUp();
    const pid = await start(home.home);
    const records = join(home.home, '.local/state/leasehold/tensorboard');
    const record = join(records, readdirSync(records).find((name) => name.endsWith('.pid')) ?? '');
    const training = spawn(
      process.execPath,
      ['-e', 'setInterval(() => {}, 1000)', '--', '--tensorboard'],
      { stdio: 'ignore' },
    );
    await once(training, 'spawn');
    const number = training.pid ?? 0;
    // The record of a TensorBoard that is gone, whose number went to the training.
    writeFileSync(record, readFileSync(record, 'utf8').replace(String(pid), String(number)));
    expect(await opener.stop(tunnels, number)).toMatchObject({
      ok: false,
      error: { code: 'not-ours-to-stop' },
    });
    expect(training.exitCode ?? training.signalCode).toBeNull();
    const gone = once(training, 'exit');
    training.kill();
    await gone;
  });

  it.each([
    ['a folder that is not there', '/nonexistent/runs', 'tensorboard-not-started'],
    [
      'a folder that would be shell text',
      '/tmp/$(touch /tmp/leasehold-pwned);"\'',
      'tensorboard-not-started',
    ],
    ['a folder with a line break', '/tmp/a\n/tmp/b', 'bad-input'],
  ])('refuses %s', async (_what, logdir, code) => {
    await setUp();
    const report = await opener.start(tunnels, { logdir, port: await freePort() });
    expect(report).toMatchObject({ ok: false, error: { code } });
    expect(existsSync('/tmp/leasehold-pwned')).toBe(false);
  });

  it('shows what a TensorBoard said that ended at once, and does not wait for it', async () => {
    await setUp();
    const program = [
      '#!/bin/sh',
      'i=0; while [ $i -lt 500 ]; do echo "line $i"; i=$((i + 1)); done',
      'printf "\\033]52;c;aGk=\\007ModuleNotFoundError: no tensorflow\\nHF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123456789\\n"',
      'exit 1',
    ];
    writeFileSync(join(home.home, 'bin/tensorboard'), program.join('\n'), { mode: 0o755 });
    const report = await opener.start(tunnels, { logdir: home.home, port: await freePort() });
    if (report.ok) throw new Error('it cannot have started');
    const { code, message, detail = '', nextStep } = report.error;
    expect({ code, message }).toEqual({
      code: 'tensorboard-not-started',
      message: 'TensorBoard was started and has ended again.',
    });
    expect(nextStep).toContain('Details');
    expect(detail).toContain('ModuleNotFoundError: no tensorflow');
    expect(detail).not.toContain('hf_abc');
    expect(detail).not.toContain('\u001b');
    expect(detail).not.toContain('line 100\n');
    expect(detail.length).toBeLessThan(4500);
  });

  it('says that TensorBoard is not installed', async () => {
    await setUp({ hasTensorboard: false });
    const wanted = { logdir: home.home, port: await freePort() };
    expect(await opener.start(tunnels, wanted)).toMatchObject({
      ok: false,
      error: { code: 'no-tensorboard' },
    });
  });

  it('opens Jupyter with its token and shows the token to nobody', async () => {
    await setUp();
    const server = createServer((_request, response) => response.end('lab')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const token = '0123456789abcdef0123';
    home.addJupyter({ port, token, base_url: '/', root_dir: '/root', pid: 1 });
    const listed = await opener.listJupyters(tunnels);
    expect(listed).toEqual({ ok: true, value: [{ port, folder: '/root' }] });
    const page = await opener.pageOfJupyter(tunnels, 'train-a', port);
    expect(page).toMatchObject({ ok: true, value: { firstPath: `/?token=${token}` } });
    expect(secrets).toEqual([token]);
    expect(page.ok && page.value.token?.reveal()).toBe(token);
    expect(JSON.stringify(page.ok && page.value.token)).not.toContain(token);
    expect(JSON.stringify(tunnels.rows)).not.toContain(token);
    // The row of the tunnel that was made for it opens it just the same.
    const [row] = tunnels.rows;
    const { id = '' } = row?.tunnel ?? {};
    expect(await opener.pageOfTunnel(tunnels, id)).toMatchObject({
      ok: true,
      value: { firstPath: `/?token=${token}`, title: 'Jupyter' },
    });
    const shown: string[] = [];
    const handlers = tunnelHandlers({
      tunnels: { of: () => ok(tunnels) },
      serviceOpener: opener,
      roster: { boxOf: () => null },
      openOwnPort: async (url) => (shown.push(url), ok(null)),
      openServiceWindow: ({ origin, firstPath }) => void shown.push(`${origin}${firstPath}`),
      copySecret: (secret) => void shown.push(`clipboard ${secret.reveal()}`),
    });
    const open = handlers['tunnel:open'];
    const browser = { boxId: 'b1', tunnelId: id, where: 'browser' } as const;
    expect(await open(browser, 1)).toEqual(ok({ isTokenCopied: true }));
    // SECURITY: the browser's command line and history hold no token.
    const origin = page.ok ? page.value.origin : '';
    expect(shown.splice(0)).toEqual([`${origin}/`, `clipboard ${token}`]);
    expect(await open({ ...browser, where: 'window' }, 1)).toEqual(ok({ isTokenCopied: false }));
    expect(shown.splice(0)).toEqual([`${origin}/?token=${token}`]);
    // Without its runtime file the page itself asks for the token.
    rmSync(join(home.home, '.local/share/jupyter'), { recursive: true });
    expect(await open(browser, 1)).toEqual(ok({ isTokenCopied: false }));
    expect(shown).toEqual([`${origin}/`]);
    expect(JSON.stringify(tunnels.rows)).not.toContain(token);
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['HTML', 'text/html', '<!doctype html><title>login</title>'],
    ['another shape', 'application/json', '{"data_location": 5}'],
    ['huge JSON', 'application/json', `{"data_location": "${'x'.repeat(8_000_000)}"}`],
    ['broken JSON', 'application/json', '{"data_location":'],
    ['endless nesting', 'application/json', '['.repeat(100_000)],
  ])('takes %s for no TensorBoard', async (_what, type, body) => {
    await setUp();
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await askTensorboard(connection, port)).toMatchObject({
      ok: false,
      error: { code: 'bad-answer' },
    });
    server.closeAllConnections();
    server.close();
  });

  it('says what it cannot know when the list of runs is no list', async () => {
    await setUp();
    const server = createServer(({ url }, response) => {
      response.end(url === '/data/environment' ? '{"data_location": "/r"}' : '{"runs": 3}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await askTensorboard(connection, port)).toEqual({
      ok: true,
      value: { port, logdir: '/r', runs: null },
    });
    server.closeAllConnections();
    server.close();
    expect(await isListening(port)).toBe(false);
  });
});
