import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deletePass, endPass } from '../../shared/teardown/change-pass.fixture.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type { BoxFile } from '../../shared/files/box-file.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import type { BoxFiles, ReadFileOptions } from './box-files.ts';
import { hasDropbear, startDropbear } from './dropbear.fixture.ts';
import { TEST_HOST_KEY } from './login-server.fixture.ts';
import { startOddServer } from './odd-server.fixture.ts';
import type { ConnectOptions } from './single-connection.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { startTcpProxy } from './tcp-proxy.fixture.ts';

// A real server: only a hang should end a test, not a busy machine, which takes long to make and to remove 100,000 files.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const MIB = 1024 * 1024;
const KINDS = [
  ['internal-sftp', 'internal-sftp'],
  ['sftp-server', '/usr/lib/openssh/sftp-server'],
] as const;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const whole: ReadFileOptions<Buffer>['read'] = async (bytes) => {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return ok(Buffer.concat(pieces));
};
/** Who removes something has taken it. */
function taken(): ChangePass {
  const pass = deletePass('plan');
  pass.take('delete', 'plan');
  return pass;
}
const of = (...pieces: Uint8Array[]): Readable => Readable.from(pieces);

function must<T>(result: Result<T, Problem>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.message} ${result.error.detail ?? ''}`);
}

async function listed(files: BoxFiles, folder: string): Promise<BoxFile[]> {
  const found: BoxFile[] = [];
  for await (const page of files.list(folder)) found.push(...must(page));
  return found;
}

async function connect(
  to: { readonly port: number; readonly user: string; readonly privateKey: string },
  more: Partial<ConnectOptions> = {},
): Promise<SshConnection> {
  return must(
    await openConnection({
      address: { host: '127.0.0.1', port: to.port, user: to.user },
      credentials: [{ kind: 'key', privateKey: to.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
      ...more,
    }),
  );
}

let folder: string;
let connection: SshConnection;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leasehold-files-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasSshd).each(KINDS)('files of a box over %s', (_name, server) => {
  let sshd: TestSshd;
  let files: BoxFiles;
  beforeEach(async () => {
    sshd = await startSshd({ configLines: [`Subsystem sftp ${server}`, 'MaxSessions 1'] });
    connection = await connect(sshd);
    files = must(await connection.openFiles());
  });
  afterEach(async () => {
    connection.close();
    await connection.closed;
    await sshd.stop();
  });

  it('come and go unchanged, 16 MiB of random bytes', async () => {
    const path = join(folder, 'results.bin');
    const bytes = randomBytes(16 * MIB + 7);
    const written = await files.write(path, of(bytes.subarray(0, 5), bytes.subarray(5)));
    expect(written).toEqual(ok({ sizeBytes: bytes.length }));
    expect(sha256(readFileSync(path))).toBe(sha256(bytes));
    expect(sha256(must(await files.read(path, { read: whole })))).toBe(sha256(bytes));
    expect(readdirSync(folder)).toEqual(['results.bin']);
  });

  it.each([
    [{ start: 3, end: 8 }, '34567'],
    [{ start: 8 }, '89'],
    [{ end: 2 }, '01'],
    [{ start: 10 }, ''],
    [{ start: 4, end: 4 }, ''],
    [{ start: 99, end: 200 }, ''],
  ])('are read in the range %j', async (range, expected) => {
    const path = join(folder, 'f');
    writeFileSync(path, '0123456789');
    expect(must(await files.read(path, { ...range, read: whole })).toString()).toBe(expected);
  });

  it('are read by nobody else before they have their mode', async () => {
    const modes: number[] = [];
    const input = async function* (): AsyncGenerator<Buffer> {
      for (const name of readdirSync(folder)) modes.push(statSync(join(folder, name)).mode & 0o777);
      yield await Promise.resolve(Buffer.from('new'));
    };
    must(await files.write(join(folder, 'new'), input(), { mode: 0o755 }));
    expect(modes).toEqual([0o600]);
  });

  it('are put in their place in one step, with their mode, over nothing that is there', async () => {
    const path = join(folder, 'job.sh');
    symlinkSync('nowhere', join(folder, 'link'));
    must(await files.write(path, of(Buffer.from('new')), { mode: 0o750 }));
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o750);
    for (const taken of [path, join(folder, 'link'), folder]) {
      expect(await files.write(taken, of(Buffer.from('newer')))).toMatchObject({
        error: { code: 'file-exists' },
      });
    }
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder).sort()).toEqual(['job.sh', 'link']);
  });

  it('replace nothing that came there while they were sent', async () => {
    const path = join(folder, 'model.pt');
    async function* overtaken(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.alloc(MIB));
      writeFileSync(path, 'theirs');
    }
    expect(await files.write(path, overtaken())).toMatchObject({ error: { code: 'file-exists' } });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['model.pt']);
  });

  it('are not there where the input fails or is stopped, and leave nothing behind', async () => {
    const path = join(folder, 'f');
    async function* broken(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.alloc(MIB));
      throw new Error('the disk is gone');
    }
    await expect(files.write(path, broken())).rejects.toThrow('the disk is gone');
    const stopper = new AbortController();
    async function* stopping(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.alloc(MIB));
      stopper.abort();
      yield Buffer.alloc(MIB);
    }
    expect(await files.write(path, stopping(), { signal: stopper.signal })).toMatchObject({
      error: { code: 'aborted' },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are listed as they are, hostile names too; what cannot be spelled says so', async () => {
    const names = [
      'plain',
      'two\nlines',
      ' blank ',
      '-rf',
      "it's",
      'a\\b',
      'häß \u{1F600}',
      '$(no)',
    ];
    for (const name of names) writeFileSync(join(folder, name), name);
    mkdirSync(join(folder, 'sub'));
    symlinkSync('nowhere', join(folder, 'link'));
    const raw = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0x6f])]);
    writeFileSync(raw, 'x');
    const found = await listed(files, folder);
    const usable = found.filter(({ hasUsableName }) => hasUsableName);
    expect(usable.map(({ name }) => name).sort()).toEqual([...names, 'link', 'sub'].sort());
    const byName = new Map(found.map((each) => [each.name, each]));
    expect(byName.get('sub')?.kind).toBe('folder');
    expect(byName.get('link')?.kind).toBe('link');
    expect(byName.get('plain')).toMatchObject({ kind: 'file', sizeBytes: 5, mode: 0o644 });
    const odd = found.filter(({ hasUsableName }) => !hasUsableName);
    expect(odd).toHaveLength(1);
    const refused = await files.remove(join(folder, odd[0]?.name ?? ''), taken());
    expect(refused).toMatchObject({ error: { code: 'file-name-unusable' } });
    expect(existsSync(raw)).toBe(true);
    for (const name of names) {
      const path = join(folder, name);
      expect(must(await files.read(path, { read: whole })).toString()).toBe(name);
      must(await files.rename(path, `${path}2`));
      must(await files.remove(`${path}2`, taken()));
    }
    expect(readdirSync(folder, 'buffer')).toHaveLength(3);
  });

  it('are named when something is in the way, each with what to do', async () => {
    writeFileSync(join(folder, 'f'), '');
    mkdirSync(join(folder, 'full/inner'), { recursive: true });
    const at = (name: string): string => join(folder, name);
    const answers: [string, Result<unknown, Problem>][] = [
      ['no-such-file', await files.stat(at('none'))],
      ['no-such-file', await files.read(at('none'), { read: whole })],
      ['no-such-file', await files.write(at('none/f'), of(Buffer.from('x')))],
      ['no-such-file', await files.remove(at('none'), taken())],
      ['no-such-file', await files.rename(at('none'), at('other'))],
      ['file-exists', await files.mkdir(at('f'))],
      ['file-exists', await files.rename(at('full'), at('f'))],
      ['file-exists', await files.write(at('full'), of(Buffer.from('x')))],
      ['file-failed', await files.remove(at('full'), taken())],
      ['file-name-unusable', await files.stat(`${at('f')}\0.txt`)],
      ['file-name-unusable', await files.remove('', taken())],
      ['file-name-unusable', await files.rename(at('f'), `${at('g')}\uFFFD`)],
    ];
    for (const [code, answer] of answers) {
      expect(answer).toMatchObject({ ok: false, error: { code } });
      expect(answer.ok ? '' : answer.error.nextStep).not.toBe('');
    }
    for await (const page of files.list(at('none'))) {
      expect(page).toMatchObject({ error: { code: 'no-such-file' } });
    }
    must(await files.mkdir(at('made')));
    const notTaken = deletePass('plan');
    expect(await files.remove(at('made'), notTaken)).toMatchObject({
      error: { code: 'plan-gone' },
    });
    // One that ends work deletes nothing.
    const toEnd = endPass('r-1');
    expect(toEnd.take('end-work', 'r-1')).toBe(true);
    expect((await files.remove(at('made'), toEnd)).ok).toBe(false);
    expect(readdirSync(folder)).toContain('made');
    must(await files.remove(at('made'), taken()));
    expect(readdirSync(folder).sort()).toEqual(['f', 'full']);
  });

  it('end where the reader says so, and the session is given back when they are closed', async () => {
    const path = join(folder, 'f');
    writeFileSync(path, Buffer.alloc(8 * MIB));
    const first = await files.read(path, {
      read: async (bytes) => {
        for await (const piece of bytes) return ok(piece.length);
        return ok(0);
      },
    });
    expect(must(first)).toBeGreaterThan(0);
    files.close();
    await files.ended;
    writeFileSync(`${sshd.keyFile}.pub`, ''); // no further log-in, and one session in all
    expect(await connection.run('echo there')).toMatchObject({ value: { stdout: 'there\n' } });
    expect(await files.stat(path)).toMatchObject({ error: { code: 'file-failed' } });
  });
});

describe.skipIf(!hasSshd)('files of a box', () => {
  it('of 100,000 entries come in pages, and a look that is left early closes the folder', async () => {
    const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    connection = await connect(sshd);
    const files = must(await connection.openFiles());
    execFileSync('sh', ['-c', 'seq 100000 | xargs touch'], { cwd: folder });
    let count = 0;
    let largest = 0;
    for await (const page of files.list(folder)) {
      const { length } = must(page);
      count += length;
      largest = Math.max(largest, length);
    }
    expect(count).toBe(100_000);
    expect(largest).toBeLessThan(5000);
    for await (const page of files.list(folder)) if (page.ok) break;
    expect(must(await files.stat(folder)).kind).toBe('folder');
    connection.close();
    await connection.closed;
    await sshd.stop();
  });

  it('hold up the box where their reader is slow: what is asked for ahead is bounded', async () => {
    const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    let received = 0;
    connection = await connect(sshd, { onReceived: (bytes) => (received += bytes) });
    const files = must(await connection.openFiles());
    const path = join(folder, 'f');
    writeFileSync(path, Buffer.alloc(24 * MIB));
    let ahead = 0;
    const read = await files.read(path, {
      read: async (bytes) => {
        let taken = 0;
        for await (const piece of bytes) {
          taken += piece.length;
          ahead = Math.max(ahead, received - taken);
        }
        return ok(taken);
      },
    });
    expect(read).toEqual(ok(24 * MIB));
    expect(ahead).toBeLessThan(4 * MIB);
    connection.close();
    await connection.closed;
    await sshd.stop();
  });

  it('say that the link was lost, in the middle of reading and of writing', async () => {
    const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    const proxy = await startTcpProxy(sshd.port);
    const path = join(folder, 'f');
    writeFileSync(path, Buffer.alloc(8 * MIB));
    const over = async (use: (files: BoxFiles) => Promise<Result<unknown, Problem>>) => {
      const to = await connect({ ...sshd, port: proxy.port });
      expect(await use(must(await to.openFiles()))).toMatchObject({ error: { code: 'link-lost' } });
    };
    await over((files) =>
      files.read(path, {
        read: async (bytes) => {
          for await (const piece of bytes) if (piece.length > 0) proxy.cut();
          return ok(null);
        },
      }),
    );
    async function* cutting(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.alloc(MIB));
      proxy.cut();
      for (let i = 0; i < 100; i += 1) yield Buffer.alloc(MIB);
    }
    await over((files) => files.write(join(folder, 'new'), cutting()));
    expect(existsSync(join(folder, 'new'))).toBe(false);
    await proxy.stop();
    await sshd.stop();
  });

  it('are refused by name where the server has no SFTP, or one that does not start', async () => {
    for (const lines of [[], ['Subsystem sftp /nowhere/sftp-server']]) {
      const sshd = await startSshd({ configLines: lines });
      connection = await connect(sshd);
      expect(await connection.openFiles()).toMatchObject({ error: { code: 'sftp-refused' } });
      connection.close();
      await connection.closed;
      await sshd.stop();
    }
  });

  it('are refused by name, with what it said, where something else answers first', async () => {
    const server = await startOddServer({
      onSftp: (channel) => {
        channel.write('Welcome to the cluster\n');
        channel.resume().on('end', () => channel.end());
      },
    });
    connection = await connect({ ...server, user: 'u', privateKey: TEST_HOST_KEY });
    expect(await connection.openFiles()).toMatchObject({
      error: { code: 'sftp-garbled', detail: 'Welcome to the cluster' },
    });
    connection.close();
    await connection.closed;
    await server.stop();
  });
});

it.skipIf(!hasDropbear)('files over a dropbear, and without its SFTP server refused', async () => {
  for (const hasSftpServer of [true, false]) {
    const dropbear = await startDropbear({ hasSftpServer });
    connection = await connect(dropbear);
    const opened = await connection.openFiles();
    if (hasSftpServer) {
      const path = join(folder, 'f');
      const bytes = randomBytes(4 * MIB);
      must(await must(opened).write(path, of(bytes)));
      expect(sha256(must(await must(opened).read(path, { read: whole })))).toBe(sha256(bytes));
    } else expect(opened).toMatchObject({ error: { code: 'sftp-refused' } });
    connection.close();
    await connection.closed;
    await dropbear.stop();
  }
});
