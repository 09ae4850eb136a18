import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { freePort } from './sshd.fixture.ts';

const DROPBEAR = '/usr/sbin/dropbear';
/** Where Debian's dropbear looks for one. */
const SFTP_SERVER = '/usr/lib/sftp-server';

/** Only root may make a mount namespace, and without one the test would write into the home of whoever runs it. */
export const hasDropbear =
  existsSync(DROPBEAR) && process.platform === 'linux' && process.getuid?.() === 0;

export interface TestDropbear {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  /** What it has written to its log so far. */
  said(): string;
  stop(): Promise<void>;
}

export interface DropbearOptions {
  readonly args?: readonly string[];
  /** As it stands in /etc/passwd. */
  readonly loginShell?: string;
  readonly hasSftpServer?: boolean;
  /** Where commands are at home, so that a test may change what lies there; an empty folder otherwise. */
  readonly home?: string;
}

/** A real Dropbear on loopback, with its own view of /etc/passwd: it reads keys from the user's home and nowhere else. */
export async function startDropbear({
  args = [],
  loginShell = '/bin/sh',
  hasSftpServer = true,
  home: wantedHome,
}: DropbearOptions = {}): Promise<TestDropbear> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-dropbear-'));
  const [key, hostKey, passwd] = ['client', 'host', 'passwd'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  execFileSync('dropbearkey', ['-t', 'ed25519', '-f', hostKey], { stdio: 'ignore' });
  const home = wantedHome ?? folder;
  mkdirSync(join(home, '.ssh'), { mode: 0o700 });
  writeFileSync(join(home, '.ssh/authorized_keys'), readFileSync(`${key}.pub`), { mode: 0o600 });
  const { username, uid, gid } = userInfo();
  writeFileSync(passwd, `${username}:x:${uid}:${gid}::${home}:${loginShell}\n`);
  const port = await freePort();
  const noSftp =
    hasSftpServer || !existsSync(SFTP_SERVER) ? '' : `mount --bind /dev/null ${SFTP_SERVER} && `;
  const script = `mount --bind "$0" /etc/passwd && ${noSftp}exec "$@"`;
  // "-e" passes its environment on: a tmux server of this home alone, as with `startSshd`.
  const options = ['-F', '-E', '-e', '-r', hostKey, '-p', `127.0.0.1:${port}`, ...args];
  const server = spawn('unshare', ['-m', 'sh', '-c', script, passwd, DROPBEAR, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], TMUX_TMPDIR: home, LEASEHOLD_PATIENCE_S: '60' },
  });
  server.stderr.setEncoding('utf8');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: string) => {
      said += text;
      if (said.includes('Not backgrounding')) resolve();
    });
    server.once('exit', () => reject(new Error(`dropbear ended: ${said}`)));
  });
  return {
    port,
    user: username,
    privateKey: readFileSync(key, 'utf8'),
    said: () => said,
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a test, or skips the rest of it where this Dropbear has ended a connection by an assertion of its own. Seen with 2022.83 on a busy
 * machine: it would send on a channel that it has closed, and ends the whole connection over that.
 */
export async function unlessItAsserts(
  { said }: Pick<TestDropbear, 'said'>,
  skip: (note: string) => void,
  test: () => Promise<void>,
): Promise<void> {
  try {
    await test();
  } catch (error) {
    // What it says may come after the end of its connection.
    await vi
      .waitFor(() => expect(said()).toContain('Failed assertion'), 10_000)
      .catch(() => {
        throw new Error(`Dropbear said: ${said().slice(-2000)}`, { cause: error });
      });
    skip('Dropbear ended a connection by an assertion of its own');
  }
}
