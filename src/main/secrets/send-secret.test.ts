import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forAnyShell } from '../../shared/boxes/any-shell.ts';
import { ok } from '../../shared/result.ts';
import type { SecretConsent } from '../../shared/secrets/sent-secret.ts';
import type { RunOptions, RunOutcome } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { Secret } from './secret.ts';
import { sendSecret } from './send-secret.ts';

const SECRET = String.raw`s3cr3t "$(touch owned)" \n'; %s é`;
/** Login shells hand the command to sh; each of these must leave it as it is. */
const SHELLS = ['sh', 'dash', 'bash', 'busybox sh', 'zsh', 'fish', 'tcsh'].filter(
  (shell) => startShell(shell, 'true').status === 0,
);
const isRoot = process.getuid?.() === 0;

const EXITED: RunOutcome['end'] = { kind: 'exited', code: 0 };

let home: string;
const file = (): string => join(home, '.config/leasehold/TOKEN');
/** Nothing but what the test itself put there. */
const left = (): string[] => readdirSync(home, { recursive: true }).map(String).sort();

beforeEach(() => void (home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function startShell(shell: string, command: string, options: object = {}) {
  const [program = 'sh', ...args] = shell.split(' ');
  return spawnSync(program, [...args, '-c', command], { encoding: 'utf8', ...options });
}

/** A login shell on this machine in place of one on a box; `arrives` is what of stdin gets through. */
function local(shell = 'sh', arrives = (input: string): string => input) {
  const commands: string[] = [];
  const run = (command: string, { input = '' }: RunOptions = {}) => {
    commands.push(command);
    const env = { PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, HOME: home };
    const options = { env, input: arrives(input), cwd: home };
    const { stdout, stderr } = startShell(shell, forAnyShell(command), options);
    return Promise.resolve(ok({ end: EXITED, stdout, stderr }));
  };
  return { commands, run };
}

function send(
  connection: Pick<SshConnection, 'run'>,
  {
    path = '~/.config/leasehold/TOKEN',
    consents = [] as readonly SecretConsent[],
    secret = SECRET,
    signal = new AbortController().signal,
  } = {},
) {
  return sendSecret({
    connection,
    scripts: onboxScripts,
    secret: new Secret(secret),
    path,
    consents,
    signal,
  });
}

/** A program of the box that another stands in for. */
function standIn(name: string, text: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(home, 'bin', name), 0o755);
}

describe('a secret on its way into a file', () => {
  it.each(SHELLS)('arrives as it is under %s, for its owner only', async (shell) => {
    const box = local(shell);
    expect(await send(box)).toMatchObject({
      value: { kind: 'sent', bytes: Buffer.byteLength(SECRET), filesystem: expect.any(String) },
    });
    expect(readFileSync(file(), 'utf8')).toBe(SECRET);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    for (const made of ['.config', '.config/leasehold']) {
      expect(statSync(join(home, made)).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(join(home, '.config/leasehold'))).toEqual(['TOKEN']);
    expect(box.commands.join()).not.toContain('s3cr3t');
  });

  it('is in no environment and no argument while it is written (U34)', async () => {
    standIn(
      'cat',
      '/bin/cat /proc/[0-9]*/cmdline /proc/$$/environ > "$HOME/seen" 2>/dev/null; exec /bin/cat',
    );
    expect(await send(local(), { secret: 'only-on-stdin-4711' })).toMatchObject({ ok: true });
    const seen = readFileSync(join(home, 'seen'), 'utf8');
    expect(seen).toContain('LEASEHOLD_SIZE=18');
    expect(seen).not.toContain('only-on-stdin-4711');
  });

  it('asks before it replaces a file, and leaves that file alone until then', async () => {
    mkdirSync(join(home, '.config/leasehold'), { recursive: true });
    writeFileSync(file(), 'old', { mode: 0o644 });
    expect(await send(local())).toEqual(ok({ kind: 'asks', exists: true, sharedFilesystem: null }));
    expect(readFileSync(file(), 'utf8')).toBe('old');
    expect(await send(local(), { consents: ['replace'] })).toMatchObject({
      value: { kind: 'sent' },
    });
    expect(readFileSync(file(), 'utf8')).toBe(SECRET);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('asks before it writes to a filesystem that other machines share', async () => {
    standIn(
      'df',
      'echo "Filesystem Type 1024-blocks Used Available Capacity Mounted on"; echo "nas:/v nfs4 9 1 8 11% /"',
    );
    expect(await send(local())).toEqual(
      ok({ kind: 'asks', exists: false, sharedFilesystem: 'nfs4' }),
    );
    expect(existsSync(join(home, '.config'))).toBe(false);
    expect(await send(local(), { consents: ['replace'] })).toMatchObject({
      value: { kind: 'asks' },
    });
    expect(await send(local(), { consents: ['shared'] })).toMatchObject({
      value: { kind: 'sent', filesystem: 'nfs4' },
    });
  });

  it('does not pass an unknown filesystem off as a known one', async () => {
    standIn('df', 'exit 1');
    expect(await send(local())).toMatchObject({ value: { kind: 'sent', filesystem: null } });
  });

  it('writes through no symlink, into no folder and to no device', async () => {
    mkdirSync(join(home, '.config/leasehold'), { recursive: true });
    writeFileSync(join(home, 'elsewhere'), 'mine');
    for (const target of [join(home, 'elsewhere'), join(home, 'nothing')]) {
      symlinkSync(target, file());
      expect(await send(local(), { consents: ['replace'] })).toMatchObject({
        error: { code: 'secret-not-sent', message: expect.stringContaining('symlink') },
      });
      expect(lstatSync(file()).isSymbolicLink()).toBe(true);
      rmSync(file());
    }
    expect(readFileSync(join(home, 'elsewhere'), 'utf8')).toBe('mine');
    mkdirSync(file());
    expect(await send(local(), { consents: ['replace'] })).toMatchObject({
      error: { message: expect.stringContaining('no ordinary file') },
    });
    expect(await send(local(), { path: '/dev/null', consents: ['replace'] })).toMatchObject({
      ok: false,
    });
    expect(readdirSync(file())).toEqual([]);
  });

  it.each([
    ['ln', '"$2"', []],
    ['mv', '"$3"', ['replace']],
  ] satisfies [string, string, SecretConsent[]][])(
    'leaves nothing in a folder that appears in its place as %s is called',
    async (name, place, consents) => {
      standIn(name, `mkdir ${place}\nexec /bin/${name} "$@"`);
      expect(await send(local(), { consents })).toMatchObject({
        error: { message: expect.stringContaining('no ordinary file') },
      });
      expect(readdirSync(join(home, '.config/leasehold'))).toEqual(['TOKEN']);
      expect(readdirSync(file())).toEqual([]);
    },
  );

  it.skipIf(!isRoot)('does not write over a file of another user', async () => {
    mkdirSync(join(home, '.config/leasehold'), { recursive: true });
    writeFileSync(file(), 'theirs');
    chownSync(file(), 4711, 4711);
    expect(await send(local(), { consents: ['replace'] })).toMatchObject({
      error: { message: expect.stringContaining('another user') },
    });
    expect(readFileSync(file(), 'utf8')).toBe('theirs');
  });

  it('does not write where others may exchange files', async () => {
    const refused = { error: { message: expect.stringContaining('Others on the box') } };
    mkdirSync(join(home, 'open'));
    chmodSync(join(home, 'open'), 0o777);
    expect(await send(local(), { path: '~/open/TOKEN' })).toMatchObject(refused);
    expect(left()).toEqual(['open']);
    mkdirSync(join(home, 'open/own'));
    expect(await send(local(), { path: '~/open/own/TOKEN' })).toMatchObject(refused);
    symlinkSync('open/own', join(home, 'linked'));
    expect(await send(local(), { path: '~/linked/TOKEN' })).toMatchObject(refused);
    expect(readdirSync(join(home, 'open/own'))).toEqual([]);
    chmodSync(join(home, 'open'), 0o1777);
    expect(await send(local(), { path: '~/open/TOKEN' })).toMatchObject({ ok: true });
  });

  it.skipIf(!isRoot)('does not write where a group may exchange files', async () => {
    mkdirSync(join(home, 'team'));
    chownSync(join(home, 'team'), 0, 4711);
    chmodSync(join(home, 'team'), 0o770);
    expect(await send(local(), { path: '~/team/TOKEN' })).toMatchObject({
      error: { message: expect.stringContaining('Others on the box') },
    });
    expect(readdirSync(join(home, 'team'))).toEqual([]);
    // Root's own group is nobody else's, as that of most users is.
    chownSync(join(home, 'team'), 0, 0);
    expect(await send(local(), { path: '~/team/TOKEN' })).toMatchObject({ ok: true });
  });

  it.each([
    ['a box', ''],
    ['a box without hard links', 'ln'],
  ])('asks for a file that came while %s wrote', async (_what, without) => {
    if (without !== '') standIn(without, 'exit 1');
    // The last thing that happens before the file takes its place.
    standIn('chmod', `/bin/chmod "$@"; echo theirs > "${file()}"`);
    expect(await send(local())).toEqual(ok({ kind: 'asks', exists: true, sharedFilesystem: null }));
    expect(readFileSync(file(), 'utf8')).toBe('theirs\n');
    expect(readdirSync(join(home, '.config/leasehold'))).toEqual(['TOKEN']);
  });

  it.each([
    ['a part of it', (input: string) => input.slice(0, -5)],
    ['nothing of it', (input: string) => input.slice(0, input.indexOf('s3cr3t'))],
    ['something else', (input: string) => input.replace('s3cr3t', 's3cr3T')],
    ['a part of the script', (input: string) => input.slice(0, input.length / 2)],
  ])('leaves nothing where %s arrives', async (_what, arrives) => {
    mkdirSync(join(home, '.config/leasehold'), { recursive: true });
    writeFileSync(file(), 'old');
    const sent = await send(local('sh', arrives), { consents: ['replace'] });
    expect(sent).toMatchObject({ error: { code: 'secret-not-sent' } });
    expect(readFileSync(file(), 'utf8')).toBe('old');
    expect(left()).toEqual(['.config', '.config/leasehold', '.config/leasehold/TOKEN']);
  });

  it('leaves nothing where the disk does not keep the rights', async () => {
    standIn('chmod', 'exec /bin/chmod 644 "$2"');
    expect(await send(local())).toMatchObject({
      error: { message: expect.stringContaining('readable by the owner only') },
    });
    expect(existsSync(file())).toBe(false);
    expect(readdirSync(join(home, '.config/leasehold'))).toEqual([]);
  });

  it.skipIf(!isRoot)('leaves nothing on a full disk', async () => {
    const disk = join(home, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]);
    try {
      spawnSync('sh', ['-c', `cat /dev/zero > ${disk}/full`]);
      expect(await send(local(), { path: `${disk}/TOKEN` })).toMatchObject({
        error: { message: expect.stringContaining('full or read-only') },
      });
      expect(readdirSync(disk)).toEqual(['full']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('does not repeat the secret where a box sends it back', async () => {
    const echoing = {
      run: () => Promise.resolve(ok({ end: EXITED, stdout: SECRET, stderr: `sh: ${SECRET}: no` })),
    };
    const sent = await send(echoing);
    expect(sent).toMatchObject({ error: { code: 'secret-not-sent' } });
    expect(JSON.stringify(sent)).not.toContain('s3cr3t');
  });
});

describe.skipIf(!hasSshd)('a secret over a real link', () => {
  let sshd: TestSshd;
  let proxy: TcpProxy;
  /** More than the link may hold on its way while nobody reads it. */
  const LONG = 'x'.repeat(8 * 1024 * 1024);

  beforeEach(async () => {
    sshd = await startSshd({ home, path: `${home}/bin:/usr/bin:/bin` });
    proxy = await startTcpProxy(sshd.port);
  });
  afterEach(async () => {
    await proxy.stop();
    await sshd.stop();
  });

  it('arrives, and is read back', async () => {
    const connection = await connectTo(sshd.port, sshd);
    expect(await send(connection)).toMatchObject({ value: { kind: 'sent' } });
    expect(readFileSync(file(), 'utf8')).toBe(SECRET);
    connection.close();
    await connection.closed;
  });

  /** Reads a little, says so, and goes on when it is told to. */
  function stopInTheMiddle(): void {
    execFileSync('mkfifo', [join(home, 'go-on')]);
    standIn(
      'cat',
      'head -c 1000; echo > "$HOME/reading"; read word < "$HOME/go-on"; exec /bin/cat',
    );
  }

  const reading = () => vi.waitFor(() => statSync(join(home, 'reading')));
  const nothingIsLeft = () =>
    vi.waitFor(() => expect(readdirSync(join(home, '.config/leasehold'))).toEqual([]));

  it('leaves no half file where the link is cut in the middle', async () => {
    stopInTheMiddle();
    const connection = await connectTo(proxy.port, sshd);
    const sending = send(connection, { secret: LONG });
    await reading();
    proxy.cut();
    expect(await sending).toMatchObject({
      error: {
        code: 'link-lost',
        message: expect.stringContaining('whole file is there, or nothing'),
      },
    });
    writeFileSync(join(home, 'go-on'), 'on\n');
    await nothingIsLeft();
  });

  it('stops at once when it is told to, and leaves no half file', async () => {
    stopInTheMiddle();
    const connection = await connectTo(sshd.port, sshd);
    const stopper = new AbortController();
    const sending = send(connection, { secret: LONG, signal: stopper.signal });
    await reading();
    stopper.abort();
    expect(await sending).toMatchObject({ error: { code: 'aborted' } });
    writeFileSync(join(home, 'go-on'), 'on\n');
    await nothingIsLeft();
    connection.close();
    await connection.closed;
  });
});
