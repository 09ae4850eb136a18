// A link to the test's sshd, as main makes one. For what runs in Electron's own runtime.
import { openConnection, type SshConnection } from '../src/main/ssh/ssh-connection.ts';

export interface BenchServer {
  readonly sshdPort: number;
  readonly user: string;
  readonly privateKey: string;
}

export async function linkTo({ sshdPort, user, privateKey }: BenchServer): Promise<SshConnection> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: sshdPort, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.detail ?? opened.error.message);
  return opened.value;
}
