import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, hasSshd } from './sshd.fixture.ts';

/** Only root may give an account another password, and only in a mount namespace of its own: nothing outside changes. */
export const canHavePasswords =
  hasSshd && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** A real OpenSSH server that lets root in with a password which is true for this server alone. */
export interface PasswordSshd {
  readonly port: number;
  readonly password: string;
  /** What it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface PasswordSshdOptions {
  /** Further lines of sshd_config; they come first, and the first value counts. */
  readonly config?: readonly string[];
  /** The port of one that was stopped: a machine that was re-created. */
  readonly port?: number;
  /** Public key files that are let in too. */
  readonly authorizedKeys?: readonly string[];
}

export async function startPasswordSshd({
  config = [],
  port: wantedPort,
  authorizedKeys = [],
}: PasswordSshdOptions = {}): Promise<PasswordSshd> {
  const folder = makeFolder();
  const hostKey = join(folder, 'host_key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  writeFileSync(
    join(folder, 'authorized_keys'),
    authorizedKeys.map((file) => readFileSync(file, 'utf8')).join(''),
  );
  const port = wantedPort ?? (await freePort());
  const file = join(folder, 'sshd_config');
  writeFileSync(
    file,
    [
      ...config,
      `Port ${String(port)}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
      'PermitRootLogin yes',
      'PasswordAuthentication yes',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'StrictModes no',
      // What this machine's owner has in their start-up files is no part of a test.
      `SetEnv HOME=${folder}`,
      'PidFile none',
      'LogLevel VERBOSE',
    ].join('\n'),
  );
  mkdirSync('/run/sshd', { recursive: true });
  return startWithPassword(folder, port, 'Server listening', [
    '/usr/sbin/sshd',
    '-D',
    '-e',
    '-f',
    file,
  ]);
}

const DROPBEAR = '/usr/sbin/dropbear';
export const canHaveDropbear = canHavePasswords && existsSync(DROPBEAR);

/** The same with dropbear, which small images run. */
export async function startPasswordDropbear(): Promise<PasswordSshd> {
  const folder = makeFolder();
  const hostKey = join(folder, 'host_key');
  execFileSync('dropbearkey', ['-t', 'ed25519', '-f', hostKey], { stdio: 'ignore' });
  const port = await freePort();
  const args = ['-F', '-E', '-p', `127.0.0.1:${String(port)}`, '-r', hostKey];
  return startWithPassword(folder, port, 'Not backgrounding', [DROPBEAR, ...args]);
}

const PASSWORD = 'correct horse battery';

/** Holds a copy of /etc/shadow in which root has our password. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-password-sshd-'));
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: PASSWORD }).toString();
  const shadow = readFileSync('/etc/shadow', 'utf8').replace(
    /^root:[^:]*/m,
    () => `root:${hash.trim()}`,
  );
  writeFileSync(join(folder, 'shadow'), shadow, { mode: 0o600 });
  return folder;
}

async function startWithPassword(
  folder: string,
  port: number,
  ready: string,
  command: readonly string[],
): Promise<PasswordSshd> {
  const script = 'mount --bind "$1" /etc/shadow && shift && exec "$@"';
  const args = ['--mount', 'sh', '-c', script, 'sh', join(folder, 'shadow'), ...command];
  const server = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  server.stderr.setEncoding('utf8');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: string) => {
      said += text;
      if (said.includes(ready)) resolve();
    });
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  return {
    port,
    password: PASSWORD,
    log: () => said,
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
