import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collect,
  eventually,
  exec,
  login,
  openExec,
  read,
  startTestBox,
} from './demo-box.fixture.ts';
import type { DemoBox } from './demo-box.ts';
import { findProgram } from './find-program.ts';

let box: DemoBox;
let client: Client;
beforeAll(async () => {
  box = await startTestBox();
  client = await login(box);
});
afterAll(async () => {
  client.end();
  await box.stop();
});

const sftpServer = await findProgram(
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/libexec/sftp-server',
);

const tmux = await findProgram('tmux');

describe('exec', () => {
  it.each([0, 1, 42, 255])('reports exit code %i', async (code) => {
    expect(await exec(client, `exit ${code}`)).toMatchObject({ code, signal: null });
  });

  it('keeps stdout and stderr apart', async () => {
    const { stdout, stderr, code } = await exec(client, 'echo out; echo err >&2');
    expect([stdout.toString(), stderr, code]).toEqual(['out\n', 'err\n', 0]);
  });

  it('gives the command its stdin and its end', async () => {
    const { stdout } = await exec(client, 'cat; echo end', {}, 'one\ntwo\n');
    expect(stdout.toString()).toBe('one\ntwo\nend\n');
  });

  it('says 127 for a command that does not exist', async () => {
    expect(await exec(client, 'no-such-command')).toMatchObject({ code: 127 });
  });

  it('names the signal that ended a command', async () => {
    expect(await exec(client, 'kill -KILL $$')).toMatchObject({ code: null, signal: 'KILL' });
  });

  it('carries 10 MB there and back without a changed byte', async () => {
    const bytes = randomBytes(10 * 1024 * 1024);
    const { stdout, code } = await exec(client, 'cat', {}, bytes);
    expect(code).toBe(0);
    expect(hash(stdout)).toBe(hash(bytes));
  });

  it('carries more than a window of stdout and stderr at once, to a client that reads late', async () => {
    const megabytes = 'dd if=/dev/zero bs=65536 count=96 2>/dev/null';
    const channel = await openExec(client, `(${megabytes} | tr '\\0' e >&2) & ${megabytes}; wait`);
    channel.pause();
    channel.stderr.pause();
    // Another command on the same connection gets through while that one waits for its window.
    expect(await read(client, 'echo through')).toBe('through\n');
    const outcome = collect(channel);
    channel.resume();
    channel.stderr.resume();
    const { stdout, stderr, code } = await outcome;
    const size = 96 * 65_536;
    expect([stdout.length, stderr.length, code]).toEqual([size, size, 0]);
    expect(hash(stdout)).toBe(hash(Buffer.alloc(size)));
    expect(stderr).toBe('e'.repeat(size));
  });

  it('goes on taking input after the command closed its stdin', async () => {
    const { stdout, code } = await exec(client, 'exec <&-; echo done', {}, randomBytes(8_000_000));
    expect([stdout.toString(), code]).toEqual(['done\n', 0]);
  });

  it('runs commands side by side', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, place) => exec(client, `sleep 0.1; exit ${place}`)),
    );
    expect(all.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('starts in its own home with none of the app’s environment', async () => {
    process.env['LEASEHOLD_TEST_SECRET'] = 'hidden';
    const text = await read(client, 'pwd; env');
    delete process.env['LEASEHOLD_TEST_SECRET'];
    expect(text).not.toContain('hidden');
    const env = Object.fromEntries(
      text.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(text.split('\n')[0]).toBe(env['HOME']);
    expect(env['PATH']).toMatch(/^[^:]*leasehold-demo-[^:]*\/bin:/);
    expect(env['USER']).toBe('demo');
  });

  it('accepts language variables and nothing that could bend a program', async () => {
    const env = { LC_ALL: 'C', LD_PRELOAD: '/evil.so', PATH: '/evil' };
    const { stdout } = await exec(client, 'echo "$LC_ALL,$LD_PRELOAD,$PATH"', { env });
    expect(stdout.toString()).toMatch(/^C,,[^,]*leasehold-demo-/);
  });
});

describe('signals and ends', () => {
  it('passes a signal to the whole group', async () => {
    const channel = await openExec(client, 'sleep 100 & echo ready; wait');
    const ended = collect(channel);
    await once(channel, 'data');
    channel.signal('TERM');
    expect(await ended).toMatchObject({ code: null, signal: 'TERM' });
  });

  it('hangs up on a command whose client closes the channel', async () => {
    const channel = await openExec(
      client,
      'trap "echo hung up >hup; exit" HUP; echo $$; while :; do sleep 0.05; done',
    );
    await once(channel, 'data');
    channel.close();
    await eventually(
      () => exec(client, 'cat hup && rm hup'),
      ({ code }) => code === 0,
    );
  });

  it('lets a command that is hung up on say its last words, however long they take', async () => {
    const channel = await openExec(
      client,
      'trap "sleep 1; echo bye; echo bye >&2; echo said >words; exit" HUP; echo $$; while :; do sleep 0.05; done',
    );
    await once(channel, 'data');
    channel.close();
    await eventually(
      () => exec(client, 'cat words && rm words'),
      ({ code }) => code === 0,
    );
  });

  it('hangs up on every command of a client that vanishes, even one that does not read', async () => {
    const other = await login(box);
    const channel = await openExec(other, 'echo $$; exec sleep 1000');
    const [pid] = (await once(channel, 'data')) as [Buffer];
    channel.write(Buffer.alloc(6_000_000)); // more than the pipe holds: the server cannot pass it on
    other.destroy();
    const isGone = (): boolean => !existsSync(`/proc/${pid.toString().trim()}`);
    await eventually(isGone, (gone) => gone);
  });

  it('closes only when a background child has let go of the output, but tells the exit code before', async () => {
    const late = '(until [ -e told ]; do sleep 0.05; done; rm told; echo late) & exit 3';
    const channel = await openExec(client, late);
    const order: string[] = [];
    channel.on('exit', (code) => order.push(`exit ${String(code)}`));
    channel.on('data', (chunk: Buffer) => order.push(chunk.toString().trim()));
    const closed = once(channel, 'close');
    await eventually(
      () => order,
      ({ length }) => length > 0,
    );
    await read(client, ': >told');
    await closed;
    expect(order).toEqual(['exit 3', 'late']);
  });
});

describe('shell and terminal', () => {
  it('reads commands from stdin without a terminal', async () => {
    const channel = await openShell(false);
    channel.end('echo $((6 * 7))\nexit 9\n');
    const { stdout, code } = await collect(channel);
    expect([stdout.toString(), code]).toEqual(['42\n', 9]);
  });

  it.skipIf(tmux === null)(
    'hangs up a terminal without typing into what it shows: a tmux session goes on',
    async () => {
      await read(client, 'tmux new-session -d -s kept');
      const channel = await openExec(client, 'exec tmux attach-session -t kept', {
        pty: { rows: 24, cols: 80 },
      });
      const attached = () => read(client, "tmux list-sessions -F '#{session_attached}'");
      await eventually(attached, (count) => count === '1\n');
      channel.close();
      await eventually(attached, (count) => count === '0\n');
      await read(client, 'tmux kill-server');
    },
  );

  it('has its tools first in PATH in a login shell too, as tmux starts one', async () => {
    expect(await read(client, 'sh -lc "command -v nvidia-smi"')).toContain('leasehold-demo');
  });

  it('gives a terminal of the asked size, and tells it when the size changes', async () => {
    const { stdout, code } = await exec(client, 'tty; stty size; echo $TERM; exit 4', {
      pty: { rows: 31, cols: 97, term: 'xterm-test' },
    });
    const lines = stdout.toString().split('\r\n');
    expect(lines[0]).toMatch(/^\/dev\//);
    expect(lines.slice(1, 3)).toEqual(['31 97', 'xterm-test']);
    expect(code).toBe(4);

    const channel = await openExec(
      client,
      'trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.05; done',
      {
        pty: { rows: 24, cols: 80 },
      },
    );
    const ended = collect(channel);
    await once(channel, 'data');
    channel.setWindow(50, 120, 0, 0);
    expect((await ended).stdout.toString()).toContain('50 120');
  });

  it('is interactive: Ctrl-C reaches the program in front', async () => {
    const channel = await openShell(true);
    let text = '';
    channel.on('data', (chunk: Buffer) => (text += chunk.toString()));
    channel.write('sleep 1007 && echo not-"here"\n');
    await eventually(
      () => read(client, 'ps -eo args | grep -c "[s]leep 1007" || true'),
      (count) => count.trim() !== '0',
    );
    channel.write('\x03');
    channel.write('echo inter"rupted"; exit 5\n');
    const [code] = (await once(channel, 'exit')) as [number];
    expect(text).toContain('interrupted');
    expect(text).not.toContain('not-here');
    expect(code).toBe(5);
  });
});

describe('sftp', () => {
  it('reads and writes files of the home', async ({ skip }) => {
    skip(sftpServer === null, 'OpenSSH’s sftp-server is not installed');
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((cause, opened) => (cause ? reject(cause) : resolve(opened)));
    });
    const bytes = randomBytes(300_000);
    await new Promise<void>((resolve, reject) => {
      sftp.writeFile('upload.bin', bytes, (cause) => (cause ? reject(cause) : resolve()));
    });
    const back = await new Promise<Buffer>((resolve, reject) => {
      sftp.readFile('upload.bin', (cause, data) => (cause ? reject(cause) : resolve(data)));
    });
    sftp.end();
    expect(hash(back)).toBe(hash(bytes));
    expect(await read(client, 'ls -l ~/upload.bin')).toContain('300000');
  });
});

describe('streams', () => {
  // A tool that kept its lines back in a buffer would never let these pipelines end.
  it.each([
    'nvidia-smi dmon -s p -d 1 | head -n 4',
    'nvidia-smi --query-gpu=index --format=csv -lms 50 | head -n 9',
    'nvidia-smi pmon -d 1 | head -n 4',
  ])('are written line by line and end with their reader: %s', async (command) => {
    const { stdout } = await exec(client, command);
    expect(stdout.toString().trimEnd().split('\n')).toHaveLength(Number(/\d+$/.exec(command)?.[0]));
  });
});

it('refuses other subsystems', async () => {
  const outcome = new Promise((resolve) => client.subsys('netconf', (cause) => resolve(cause)));
  expect(await outcome).toBeInstanceOf(Error);
});

function openShell(hasTerminal: boolean): Promise<ClientChannel> {
  const window = hasTerminal ? { rows: 24, cols: 80, term: 'xterm' } : false;
  return new Promise((resolve, reject) => {
    client.shell(window, (cause, channel) => (cause ? reject(cause) : resolve(channel)));
  });
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
