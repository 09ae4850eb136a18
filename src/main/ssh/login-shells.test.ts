import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseBoxServices } from '../../shared/probes/box-services.ts';
import { listTmux } from '../terminal/tmux.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { addAuthorizedKey } from './authorized-keys.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type SshdOptions, type TestSshd } from './sshd.fixture.ts';

const find = (name: string): string =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
const hasTmux = find('tmux') !== '';

/** Each with the file that it reads before a command, and a line that prints without a line end and to stderr. */
const SHELLS = [
  { name: 'bash', rc: '.bashrc', noise: 'printf "Welcome back"; echo "a warning" >&2' },
  { name: 'zsh', rc: '.zshenv', noise: 'printf "Welcome back"; echo "a warning" >&2' },
  {
    name: 'fish',
    rc: '.config/fish/config.fish',
    noise: 'printf "Welcome back"; echo "a warning" >&2',
  },
  { name: 'tcsh', rc: '.tcshrc', noise: 'echo -n "Welcome back"; sh -c "echo a warning >&2"' },
  { name: 'rbash', rc: '.bashrc', noise: 'printf "Welcome back"; echo "a warning" >&2' },
].map((shell) => ({ ...shell, path: find(shell.name) }));

let home: string;
let sshd: TestSshd;
let connection: SshConnection;

async function connect(options: SshdOptions = {}): Promise<void> {
  sshd = await startSshd({ home, ...options });
  const result = await openConnection({
    address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
    credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ''}`);
  connection = result.value;
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), `${text}\n`);
}

beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'leasehold-home-'))));
afterEach(async () => {
  connection.close();
  await connection.closed;
  await sshd.stop();
  rmSync(home, { recursive: true, force: true });
});

describe.skipIf(!hasSshd).each(SHELLS)('$name as the login shell', ({ path, rc, noise }) => {
  const isMissing = path === '';

  it.skipIf(isMissing)('runs a command word for word, with its own exit code', async () => {
    await connect({ loginShell: path });
    const text = `printf '%s\\n' "it's \\ 100%! \${HOME##*/}" $((6*7)) 'a!b' >&2; echo out; exit 9`;
    expect(await connection.run(text)).toEqual({
      ok: true,
      value: {
        stdout: 'out\n',
        stderr: `it's \\ 100%! ${home.split('/').at(-1) ?? ''}\n42\na!b\n`,
        end: { kind: 'exited', code: 9 },
      },
    });
  });

  it.skipIf(isMissing)('keeps what its start-up file prints from every answer', async () => {
    write(rc, noise);
    await connect({ loginShell: path });
    const ran = await connection.run('cat; echo err >&2', { input: 'in\n' });
    expect(ran).toMatchObject({
      ok: true,
      value: { stdout: 'in\n', stderr: 'err\n', end: { code: 0 } },
    });
    expect(ran.ok && ran.value.noise).toContain('Welcome back');

    const started = await connection.start('echo 1; echo 2');
    if (!started.ok) throw new Error(started.error.detail);
    let followed = '';
    for await (const piece of started.value.stdout()) followed += piece;
    expect(followed).toBe('1\n2\n');
  });

  it.skipIf(isMissing)('lets the tools of Leasehold work, noise or not', async () => {
    write(rc, noise);
    await connect({ loginShell: path });
    const found = await onboxScripts.run(connection, 'find-services.sh');
    if (!found.ok) throw new Error(found.error.detail);
    expect(parseBoxServices(found.value.stdout).unreadable).toEqual([]);
    expect(found.value.end).toEqual({ kind: 'exited', code: 0 });

    const stopped = await onboxScripts.run(connection, 'tensorboard-stop.sh', {
      LEASEHOLD_PID: '1',
    });
    expect(stopped).toMatchObject({ ok: true, value: { stdout: 'not-ours\n' } });

    const key = { line: 'ssh-ed25519 AAAAC3Nz me', typeAndKey: 'ssh-ed25519 AAAAC3Nz' };
    expect(await addAuthorizedKey(connection, key)).toEqual({ ok: true, value: 'added' });
    expect(readFileSync(join(home, '.ssh/authorized_keys'), 'utf8')).toBe(`${key.line}\n`);

    if (!hasTmux) return;
    const listed = await listTmux(connection);
    if (!listed.ok) throw new Error(listed.error.detail);
    expect(listed.value).toMatchObject({ kind: 'installed', leftOut: 0 });
  });
});

describe.skipIf(!hasSshd)('a way in that runs something else', () => {
  it.each([
    ['a message', 'echo "This account is for backups only."; exit 1', 'for backups only'],
    ['the command itself, refused', 'echo "not allowed: $SSH_ORIGINAL_COMMAND"', 'not allowed: sh'],
    ['nothing', 'true', 'It printed nothing'],
  ])('is named when it prints %s', async (_what, forced, detail) => {
    await connect({ configLines: [`ForceCommand ${forced}`] });
    const ran = await connection.run('echo hello');
    expect(ran).toMatchObject({ ok: false, error: { code: 'command-not-run' } });
    expect(!ran.ok && ran.error.detail).toContain(detail);
    expect(await connection.start('echo hello')).toMatchObject({
      ok: false,
      error: { code: 'command-not-run' },
    });
  });

  it('is never given what is meant for our own shell', async () => {
    const got = join(home, 'got');
    await connect({ configLines: [`ForceCommand cat > ${got}; echo bye`] });
    // It waits for input, so only the time bound ends it: nothing is sent to find out.
    const ran = await connection.run('cat', { input: 'a secret', timeoutMs: 5000 });
    expect(ran).toMatchObject({ ok: false, error: { code: 'command-timeout' } });
    connection.close();
    await connection.closed;
    expect(readFileSync(got, 'utf8')).toBe('');
  });

  it('is stopped when it floods', async () => {
    await connect({ configLines: ['ForceCommand yes'] });
    for (const answer of [await connection.run('true'), await connection.start('true')]) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'command-not-run' } });
    }
  });

  it('is a restricted shell that does not let sh through', async (context) => {
    const rbash = find('rbash');
    context.skip(rbash === '', 'there is no rbash here');
    mkdirSync(join(home, 'bin'));
    symlinkSync(find('ls'), join(home, 'bin/ls'));
    write('.bashrc', `PATH=${home}/bin`);
    await connect({ loginShell: rbash });
    const ran = await connection.run('echo hello');
    expect(ran).toMatchObject({ ok: false, error: { code: 'command-not-run' } });
    expect(!ran.ok && ran.error.detail).toMatch(/sh: (command )?not found/);
  });
});
