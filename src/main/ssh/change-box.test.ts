import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { createTmux, killTmux, listTmux } from '../terminal/tmux.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { linkFolder } from '../tunnels/tensorboard.ts';
import { addAuthorizedKey } from './authorized-keys.ts';
import { changeBox } from './change-box.ts';
import { killServer } from './killed-server.fixture.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const KEY = { line: 'ssh-ed25519 AAAAC3Nz me', typeAndKey: 'ssh-ed25519 AAAAC3Nz' };
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe.skipIf(!hasSshd || process.platform !== 'linux')('a change whose end is unknown', () => {
  let home: string;
  let sshd: TestSshd;
  let connection: SshConnection;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
    mkdirSync(join(home, 'bin'));
    sshd = await startSshd({ home });
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.code);
    connection = opened.value;
    writeFileSync(join(home, '.bashrc'), `PATH=${home}/bin:$PATH; export TMUX_TMPDIR=${home}\n`);
  });
  afterEach(async () => {
    spawnSync('tmux', ['kill-server'], { env: { ...process.env, TMUX_TMPDIR: home } });
    connection.close();
    await connection.closed;
    // The connection over which the box was asked again is gone too.
    await vi.waitFor(() => expect(sshd.connections()).toBe(0));
    await sshd.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is a success where a look finds it done: a key (U1)', async () => {
    killServer(home, 'after', 'chmod', '600');
    expect(await addAuthorizedKey(connection, KEY)).toEqual({ ok: true, value: 'added' });
    await connection.closed;
  });

  it('is a failure where a look finds it not done: a key', async () => {
    killServer(home, 'instead', 'mkdir', '.ssh');
    const added = await addAuthorizedKey(connection, KEY);
    if (added.ok) throw new Error('there is no key');
    expect(added.error.message).toContain('The key is not on the box');
  });

  it('stays unknown where the box cannot be asked again, and says so', async () => {
    killServer(home, 'after', 'chmod', '600');
    // No further log-in succeeds; who is in stays in.
    writeFileSync(`${sshd.keyFile}.pub`, '');
    const added = await addAuthorizedKey(connection, KEY);
    if (added.ok) throw new Error('nobody has looked');
    expect(added.error.code).toBe('command-unknown');
    expect(added.error.message).toContain('Whether it was done is not known');
  });

  it('is found done: a symlink', async () => {
    mkdirSync(join(home, 'runs'));
    mkdirSync(join(home, 'logs'));
    killServer(home, 'after', 'ln', '-s');
    const folders = { from: join(home, 'runs'), into: join(home, 'logs') };
    expect(await linkFolder(connection, onboxScripts, folders)).toMatchObject({
      ok: true,
    });
    await connection.closed;
    expect(readlinkSync(join(home, 'logs/runs'))).toBe(folders.from);
  });

  describe.skipIf(!hasTmux)('of tmux', () => {
    async function another(): Promise<SshConnection> {
      const opened = await connection.openAnother(new AbortController().signal);
      if (!opened.ok) throw new Error(opened.error.code);
      connection.close();
      connection = opened.value;
      return connection;
    }
    const names = async (): Promise<readonly string[]> => {
      const listed = await listTmux(await another());
      if (!listed.ok || listed.value.kind !== 'installed') throw new Error('not listed');
      return listed.value.sessions.map(({ name }) => name);
    };

    it('is found done, also where the first try was lost with the server: a new session', async () => {
      killServer(home, 'after', 'tmux', 'new-session');
      const size = { cols: 80, rows: 24 };
      expect(await createTmux(connection, 'one', size)).toMatchObject({
        ok: true,
        value: { name: 'one' },
      });
      killServer(home, 'instead', 'tmux', 'new-session');
      // The script outlives the connection, and asks tmux again.
      expect(await createTmux(await another(), 'two', size)).toMatchObject({
        ok: true,
        value: { name: 'two' },
      });
      expect(await names()).toEqual(['one', 'two']);
    });

    it('is found done, or not done: a session ended', async () => {
      const created = await createTmux(connection, 'one', { cols: 80, rows: 24 });
      if (!created.ok) throw new Error(created.error.message);
      killServer(home, 'instead', 'tmux', 'kill-session');
      expect(await killTmux(connection, created.value, endPass(created.value.id))).toMatchObject({
        ok: false,
      });
      expect(await names()).toEqual(['one']);
      killServer(home, 'after', 'tmux', 'kill-session');
      expect(await killTmux(connection, created.value, endPass(created.value.id))).toEqual({
        ok: true,
        value: null,
      });
      expect(await names()).toEqual([]);
    });
  });
});

it('says that the end is unknown where the look itself hangs', async () => {
  vi.useFakeTimers();
  let close = (): void => undefined;
  const fresh = { close: () => close() } as SshConnection;
  const connection = { openAnother: async () => ok(fresh) } as unknown as SshConnection;
  const lost = { ...problem('link-lost', 'The link was cut.'), mayHaveRun: true };
  const changed = changeBox(connection, {
    run: async () => err(lost),
    judge: () => ok('done'),
    reread: () =>
      new Promise((resolve) => {
        close = () => resolve(err(problem('not-connected', 'The box is not connected.')));
      }),
  });
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  const answer = await changed;
  if (answer.ok) throw new Error('nobody knows');
  expect(answer.error.code).toBe('command-unknown');
  expect(answer.error.message).toContain('The link was cut. Whether it was done is not known');
});
