// OpenSSH on the same server with the same key, for what is compared with it.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

export interface SshServer {
  readonly user: string;
  readonly keyFile: string;
}

const OPTIONS = [
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'IdentitiesOnly=yes',
  'LogLevel=ERROR',
].flatMap((option) => ['-o', option]);

interface SshUse {
  /** What it does besides, as `-L` … */
  readonly options?: readonly string[];
  readonly command?: string;
  readonly stdio?: StdioOptions;
}

export function startSsh(
  { user, keyFile }: SshServer,
  port: number,
  { options = [], command, stdio = 'ignore' }: SshUse,
): ChildProcess {
  const where = ['-p', String(port), '-l', user, '127.0.0.1'];
  const args = ['-F', 'none', '-i', keyFile, ...OPTIONS, ...options, ...where];
  // Without an agent, whose keys would be tried first.
  const env = { PATH: process.env['PATH'] };
  return spawn('ssh', command === undefined ? args : [...args, command], { stdio, env });
}

export async function endOf(ssh: ChildProcess): Promise<void> {
  const [code] = (await once(ssh, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ssh ended with ${String(code)}`);
}
