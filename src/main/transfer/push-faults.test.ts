import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import { hasDropbear, startDropbear } from '../ssh/dropbear.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { runFixture, whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { CodePusher } from './code-pusher.ts';
import { Project } from './project.fixture.ts';
import type { PushingApp } from './pushing-app.fixture.ts';

const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

const pusher = new CodePusher(onboxScripts);
let project: Project;
let box: string;
beforeEach(() => {
  project = new Project();
  box = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pushed-'));
});
afterEach(() => {
  project.remove();
  rmSync(box, { recursive: true, force: true });
});

const connect = async (
  server: Pick<TestSshd, 'port' | 'user' | 'privateKey'>,
): Promise<SshConnection> =>
  value(
    await openConnection({
      address: { host: '127.0.0.1', port: server.port, user: server.user },
      credentials: [{ kind: 'key', privateKey: server.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    }),
  );

async function push(
  on: SshConnection,
  to: string,
  onProgress: (progress: PushProgress) => void = () => undefined,
): Promise<Result<null, Problem>> {
  const planned = value(await pusher.plan(on, project.push(), to));
  return pusher.push(on, planned.kept, { onProgress });
}

it.skipIf(!hasDropbear)('code arrives on a box that has Dropbear and no sftp', async () => {
  const dropbear = await startDropbear({ hasSftpServer: false });
  try {
    const connection = await connect(dropbear);
    project.write('main.txt', 'main').write('a b/deep.txt', 'deep');
    expect(await push(connection, box)).toEqual({ ok: true, value: null });
    expect(readFileSync(join(box, 'a b/deep.txt'), 'utf8')).toBe('deep');
    connection.close();
    await connection.closed;
  } finally {
    await dropbear.stop();
  }
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('a push', () => {
  let sshd: TestSshd;
  let connection: SshConnection;
  beforeEach(async () => {
    sshd = await startSshd();
    connection = await connect(sshd);
  });
  afterEach(async () => {
    connection.close();
    await connection.closed;
    await sshd.stop();
  });

  // Elsewhere nothing small can be mounted, and `ulimit -f` ends tar by a signal that no full disk sends.
  it.skipIf(whyNoSmallDisk !== null)(
    'says that the disk is full, touches nothing there, and goes on once there is room',
    async () => {
      for (const at of [1, 2, 3]) project.write(`${String(at)}.bin`, Buffer.alloc(MIB, at));
      await withSmallDisk(4 * 1024, async (disk) => {
        const to = join(disk.folder, 'work');
        disk.fill(2 * MIB);
        expect(await push(connection, to)).toMatchObject({
          ok: false,
          error: {
            code: 'code-not-sent',
            message: 'The disk of the folder on the box is full. Nothing was started.',
          },
        });
        expect(readdirSync(to)).toEqual(['.leasehold-push']);
        disk.free();
        const sent: number[] = [];
        const again = await push(connection, to, ({ stage, doneBytes }) => {
          if (stage === 'sending') sent.push(doneBytes);
        });
        expect(again).toEqual({ ok: true, value: null });
        expect(sent[0]).toBeGreaterThanOrEqual(MIB);
        expect(readdirSync(to).sort()).toEqual(['1.bin', '2.bin', '3.bin']);
      });
    },
  );

  it('of an app that is killed has touched nothing, and the next one goes on', async () => {
    const count = 60;
    for (let at = 0; at < count; at += 1) {
      project.write(`${String(at)}.bin`, Buffer.alloc(MIB, at));
    }
    const app: PushingApp = {
      ...{ port: sshd.port, user: sshd.user, privateKey: sshd.privateKey },
      ...{ from: project.folder, to: box, untilBytes: 12 * MIB },
    };
    const { signal, stderr } = await runFixture(
      new URL('pushing-app.fixture.ts', import.meta.url),
      [JSON.stringify(app)],
      (_line, _count, child) => child.kill('SIGKILL'),
    );
    expect([signal, stderr]).toEqual(['SIGKILL', '']);
    expect(readdirSync(box)).toEqual(['.leasehold-push']);
    const sent: number[] = [];
    const again = await push(connection, box, ({ stage, doneBytes }) => {
      if (stage === 'sending') sent.push(doneBytes);
    });
    expect(again).toEqual({ ok: true, value: null });
    expect(sent[0]).toBeGreaterThan(4 * MIB);
    expect(readdirSync(box)).toHaveLength(count);
  });

  it.each([
    ['other bytes', Buffer.alloc(MIB, 1)],
    ['less', Buffer.alloc(100)],
    ['more', Buffer.alloc(2 * MIB)],
  ])('of a file that becomes %s on the way puts nothing there', async (_what, bytes) => {
    for (let at = 0; at < 20; at += 1) {
      project.write(`${String(at)}.bin`, Buffer.alloc(MIB, at));
    }
    project.write('last.bin', Buffer.alloc(MIB));
    let isChanged = false;
    const pushed = await push(connection, box, ({ stage, doneBytes }) => {
      if (isChanged || stage !== 'sending' || doneBytes < 2 * MIB) return;
      isChanged = true;
      project.write('last.bin', bytes);
    });
    expect(pushed).toMatchObject({
      ok: false,
      error: {
        message: 'last.bin changed after the plan. Nothing was started.',
      },
    });
    expect(readdirSync(box)).toEqual(['.leasehold-push']);
    expect(await push(connection, box)).toEqual({ ok: true, value: null });
    expect(readFileSync(join(box, 'last.bin')).equals(bytes)).toBe(true);
  });

  // As root everything can be read, so that this process is somebody else for as long as it plans.
  it('names the file that the person may not read', async () => {
    project.write('main.txt', 'm').write('closed.txt', 'c', 0o000);
    chmodSync(project.folder, 0o755);
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await pusher.plan(connection, project.push(), box)).toMatchObject({
        ok: false,
        error: {
          code: 'code-not-read',
          message: `${project.folder}/closed.txt can't be read: you lack the permission.`,
        },
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(existsSync(join(box, 'main.txt'))).toBe(false);
  });
});
