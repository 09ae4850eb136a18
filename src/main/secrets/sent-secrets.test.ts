import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deletePass } from '../../shared/teardown/change-pass.fixture.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { SecretState } from '../../shared/secrets/secret-on-box.ts';
import { killServer } from '../ssh/killed-server.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { SentSecrets } from './sent-secrets.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const PATH = '~/token';
const isRoot = process.getuid?.() === 0;

describe.skipIf(!hasSshd || process.platform !== 'linux')('what was sent to a box', () => {
  let home: string;
  let sshd: TestSshd;
  let connection: SshConnection | null;
  let database: Database;
  let secrets: SentSecrets;

  beforeEach(async () => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
    mkdirSync(join(home, 'bin'));
    sshd = await startSshd({ home, path: `${home}/bin:/usr/bin:/bin` });
    connection = await connectTo(sshd.port, sshd);
    database = openTemporaryDatabase();
    database.boxes.add({
      ...USUAL_WAY,
      id: BOX,
      name: 'train-a',
      platform: 'generic-ssh',
      address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
      tags: [],
      addedAtMs: 0,
    });
    secrets = new SentSecrets({
      table: database.sentSecrets,
      roster: { connectionOf: () => connection },
      scripts: onboxScripts,
      onProblem: (found) => {
        throw new Error(found.message);
      },
    });
    secrets.note(BOX, { name: 'TOKEN', path: PATH, bytes: 5, sentAtMs: 7 });
  });
  afterEach(async () => {
    connection?.close();
    await connection?.closed;
    await vi.waitFor(() => expect(sshd.connections()).toBe(0));
    await sshd.stop();
    database.close();
    rmSync(home, { recursive: true, force: true });
  });

  const file = (): string => join(home, 'token');
  const write = (text = '12345', mode = 0o600): void => {
    writeFileSync(file(), text, { mode });
    chmodSync(file(), mode);
  };
  async function states(): Promise<readonly SecretState[]> {
    const listed = await secrets.list(BOX);
    if (!listed.ok) throw new Error(listed.error.message);
    return listed.value.secrets.map(({ state }) => state);
  }

  it.each<[string, SecretState, () => void]>([
    ['a file as it was sent', 'present', () => write()],
    ['no file', 'gone', () => undefined],
    ['a file that others may read', 'opened-up', () => write('12345', 0o640)],
    ['a file of another size', 'changed', () => write('123456')],
    ['a folder', 'changed', () => mkdirSync(file())],
    [
      'a symlink to a file as it was sent',
      'changed',
      () => {
        writeFileSync(join(home, 'other'), '12345', { mode: 0o600 });
        symlinkSync('other', file());
      },
    ],
  ])('finds %s: %s', async (_what, state, prepare) => {
    prepare();
    expect(await states()).toEqual([state]);
  });

  it('knows nothing of a file in a folder that it may not search', async ({ skip }) => {
    skip(isRoot, 'permissions do not bind root');
    mkdirSync(join(home, 'shut'));
    secrets.note(BOX, { name: 'TOKEN', path: '~/shut/token', bytes: 5, sentAtMs: 9 });
    chmodSync(join(home, 'shut'), 0o000);
    expect(await states()).toEqual(['unknown', 'gone']);
    chmodSync(join(home, 'shut'), 0o700);
  });

  it('says unknown, and why, where the box is not connected', async () => {
    write();
    const open = connection;
    connection = null;
    const listed = await secrets.list(BOX);
    connection = open;
    expect(listed).toMatchObject({
      value: {
        secrets: [{ state: 'unknown' }],
        lookedAtMs: null,
        problems: [{ code: 'not-connected' }],
      },
    });
  });

  it('removes the file, and the note when the box shows that it is gone', async () => {
    write();
    secrets.note(BOX, { name: 'OTHER', path: '~/other', bytes: 1, sentAtMs: 8 });
    const removed = await secrets.remove(BOX, PATH, deletePass(PATH));
    expect(removed).toMatchObject({ ok: true, value: { secrets: [{ name: 'OTHER' }] } });
    expect(existsSync(file())).toBe(false);
  });

  it('removes nothing that it did not send, and nothing but an ordinary file', async () => {
    writeFileSync(join(home, 'mine'), 'x');
    expect(await secrets.remove(BOX, '~/mine', deletePass('~/mine'))).toMatchObject({ ok: false });
    expect(existsSync(join(home, 'mine'))).toBe(true);
    symlinkSync('mine', file());
    expect(await secrets.remove(BOX, PATH, deletePass(PATH))).toMatchObject({
      ok: false,
      error: { code: 'secret-not-removed' },
    });
    expect(readFileSync(file(), 'utf8')).toBe('x');
    expect(await states()).toEqual(['changed']);
  });

  it('looks again where nobody heard whether it was removed', async () => {
    write();
    killServer(home, 'after', 'rm', '/token');
    expect(await secrets.remove(BOX, PATH, deletePass(PATH))).toMatchObject({ ok: true });
    expect(existsSync(file())).toBe(false);
  });

  it('keeps the note where nobody knows, and where the file stayed', async () => {
    write();
    killServer(home, 'instead', 'rm', '/token');
    expect(await secrets.remove(BOX, PATH, deletePass(PATH))).toMatchObject({
      ok: false,
      error: { code: 'secret-not-removed' },
    });
    connection = await connectTo(sshd.port, sshd);
    expect(await states()).toEqual(['present']);
  });

  it('keeps notes about a box of this session for the session', async () => {
    secrets.note('demo', { name: 'TOKEN', path: PATH, bytes: 5, sentAtMs: 7 });
    write();
    expect(await secrets.list('demo')).toMatchObject({
      value: { secrets: [{ path: PATH, state: 'present' }] },
    });
    expect(await secrets.remove('demo', PATH, deletePass(PATH))).toMatchObject({
      value: { secrets: [] },
    });
  });

  it('goes with the box', () => {
    expect(database.boxes.forget(BOX)).toMatchObject({ ok: true });
    expect(database.sentSecrets.list(BOX)).toMatchObject({ value: { rows: [] } });
  });
});
