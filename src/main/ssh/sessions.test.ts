import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Crowding } from './session-pool.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

// A real server: only a hang should end a test, not a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const SIZE = { cols: 80, rows: 24 };

describe.skipIf(!hasSshd || process.platform !== 'linux')('sessions on a real OpenSSH', () => {
  let sshd: TestSshd;
  let connection: SshConnection;
  const others: SshConnection[] = [];

  async function start(...configLines: string[]): Promise<void> {
    sshd = await startSshd({ configLines });
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    connection = opened.value;
  }

  /** A command that runs until it is told to end, and takes up a session for as long. */
  async function stream(): Promise<{ readonly end: () => Promise<unknown> }> {
    const started = await connection.start('cat');
    if (!started.ok) throw new Error(started.error.code);
    const process = started.value;
    return {
      end: () => {
        process.endInput();
        void drain(process.stdout());
        return process.exited;
      },
    };
  }

  afterEach(async () => {
    for (const other of others.splice(0)) other.close();
    connection.close();
    await connection.closed;
    // Everything that was opened beside it is gone too.
    await vi.waitFor(() => expect(sshd.connections()).toBe(0), { timeout: 10_000 });
    await sshd.stop();
  });

  it.each(['MaxSessions 1', 'MaxSessions 2', 'MaxSessions 10'])(
    'runs 30 commands at once with %s, none refused and none mixed up',
    async (line) => {
      await start(line);
      const runs = Array.from({ length: 30 }, (_, i) =>
        connection.run(`echo number ${String(i)}; cat`, { input: `value ${String(i)}` }),
      );
      const outcomes = await Promise.all(runs);
      expect(outcomes.map((each) => (each.ok ? each.value.stdout : JSON.stringify(each.error)))).toEqual(
        Array.from({ length: 30 }, (_, i) => `number ${i}\nvalue ${i}`),
      );
    },
  );
});

async function drain(output: AsyncIterable<string>): Promise<void> {
  for await (const _text of output);
}
