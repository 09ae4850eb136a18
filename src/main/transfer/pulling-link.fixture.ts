import { dirname } from 'node:path';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { value } from '../runs/run-box.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import type { TestSshd } from '../ssh/sshd.fixture.ts';

// What a test and an app that it starts and kills have in common: the app runs outside of Vitest.

/** A run of which nothing but its results counts. */
export const runWith = (results: string): LaunchedRun => ({
  id: 'r-20270115-080000-0a1b2c3d',
  name: 'a run',
  command: 'true',
  folder: dirname(results),
  results,
  overridden: [],
  place: '/nowhere',
  detacher: 'tmux',
  launchedAtMs: 0,
  process: null,
  status: { kind: 'done', exitCode: 0, atMs: 0, lacksSuccessLine: false },
  log: null,
});

export async function connectTo(
  { user, privateKey }: Pick<TestSshd, 'user' | 'privateKey'>,
  port: number,
  keepaliveEveryS: number | null = null,
): Promise<SshConnection> {
  return value(
    await openConnection({
      address: { host: '127.0.0.1', port, user },
      credentials: [{ kind: 'key', privateKey }],
      judgeHostKey: () => 'accept',
      keepaliveEveryS,
      signal: new AbortController().signal,
    }),
  );
}
