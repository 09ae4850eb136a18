import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const SSHD = '/usr/sbin/sshd';
export const hasSshd = existsSync(SSHD);

/** A real OpenSSH server on loopback that lets the current user in with one fresh key. */
export interface TestSshd {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly keyFile: string;
  /** As `ssh-keygen -l` prints it: an independent opinion about the fingerprint. */
  readonly fingerprint: string;
  stop(): Promise<void>;
}

/** `lines` of configuration come first, and sshd takes the first value of each. */
export async function startSshd(lines: readonly string[] = []): Promise<TestSshd> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-sshd-'));
  const hostKey = join(folder, 'host_key');
  const keyFile = join(folder, 'client_key');
  for (const file of [hostKey, keyFile]) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  }
  const port = await freePort();
  const config = join(folder, 'sshd_config');
  writeFileSync(
    config,
    [
      ...lines,
      `Port ${String(port)}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${keyFile}.pub`,
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'LogLevel INFO',
    ].join('\n'),
  );
  // sshd insists on this folder when it runs as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
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
    user: userInfo().username,
    privateKey: readFileSync(keyFile, 'utf8'),
    keyFile,
    fingerprint: execFileSync('ssh-keygen', ['-lf', `${hostKey}.pub`], { encoding: 'utf8' }).split(
      ' ',
    )[1] as string,
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const gone = once(server, 'exit');
        server.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
