import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Public key files that are let in too. */
  readonly authorizedKeys?: readonly string[];
}

export async function startPasswordSshd({
  config = [],
  authorizedKeys = [],
}: PasswordSshdOptions = {}): Promise<PasswordSshd> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-password-sshd-'));
  const hostKey = join(folder, 'host_key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  const password = 'correct horse battery';
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password }).toString();
  const shadow = readFileSync('/etc/shadow', 'utf8').replace(
    /^root:[^:]*/m,
    () => `root:${hash.trim()}`,
  );
  writeFileSync(join(folder, 'shadow'), shadow, { mode: 0o600 });
  writeFileSync(
    join(folder, 'authorized_keys'),
    authorizedKeys.map((file) => readFileSync(file, 'utf8')).join(''),
  );
  const port = await freePort();
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
      'PidFile none',
      'LogLevel VERBOSE',
    ].join('\n'),
  );
  mkdirSync('/run/sshd', { recursive: true });
  const script = 'mount --bind "$1" /etc/shadow && exec /usr/sbin/sshd -D -e -f "$2"';
  const args = ['--mount', 'sh', '-c', script, 'sh', join(folder, 'shadow'), file];
  const server = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  server.stderr.setEncoding('utf8');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: string) => {
      said += text;
      if (said.includes('Server listening')) resolve();
    });
    server.once('exit', () => reject(new Error(`sshd ended: ${said}`)));
  });
  return {
    port,
    password,
    log: () => said,
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
