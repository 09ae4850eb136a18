import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { changeBox } from './change-box.ts';
import { TEST_HOST_KEY } from './login-server.fixture.ts';
import { startOddServer, type OddServer, type OddServerOptions } from './odd-server.fixture.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

// A refusal says that nothing was done. A session that closes says nothing at all.

const TERMINAL = {
  size: { cols: 80, rows: 24 },
  inFlightBytes: 1_000_000,
  onOutput: () => undefined,
};

let server: OddServer;
let connection: SshConnection;

async function meet(options: OddServerOptions, way: { openWay?: OpenWay } = {}): Promise<void> {
  server = await startOddServer(options);
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: server.port, user: 'u' },
    credentials: [{ kind: 'key', privateKey: TEST_HOST_KEY }],
    judgeHostKey: () => 'accept',
    ...way,
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  connection = opened.value;
}

afterEach(async () => {
  connection.close();
  await connection.closed;
  await server.stop();
});

describe('a server that', () => {
  it('refuses a command has not run it', async () => {
    await meet({});
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'exec-refused', mayHaveRun: false },
    });
    expect(await connection.openTerminal(TERMINAL)).toMatchObject({
      error: { code: 'terminal-refused' },
    });
    expect(await connection.openFiles()).toMatchObject({ error: { code: 'sftp-refused' } });
  });

  it('closes the session in place of an answer may have run the command', async () => {
    await meet({ closes: 'session' });
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'session-unanswered', mayHaveRun: true },
    });
    expect(await connection.openTerminal(TERMINAL)).toMatchObject({
      error: { code: 'session-unanswered' },
    });
  });

  it.each([
    ['refuses', {}, { error: { code: 'exec-refused' } }],
    ['does not answer about', { closes: 'session' }, { value: 'looked' }],
  ] as const)(
    '%s a change is looked at only where it may be done',
    async (_what, odd, expected) => {
      await meet(odd);
      const changed = await changeBox<string>(connection, {
        run: (on) => on.run('true'),
        judge: () => ok('done'),
        reread: () => Promise.resolve(ok('looked')),
      });
      expect(changed).toMatchObject(expected);
    },
  );

  it('closes the session in place of an answer about its files says so at once', async () => {
    await meet({ closes: 'session' });
    expect(await connection.checkSftp()).toMatchObject({ error: { code: 'session-unanswered' } });
    expect(await connection.openFiles()).toMatchObject({ error: { code: 'session-unanswered' } });
  });

  it('answers that it runs a command and closes without a word may have run it', async () => {
    await meet({ onExec: (channel) => channel.close() });
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'session-unanswered', mayHaveRun: true },
    });
  });

  it('answers, greets and closes without an exit status may have run it', async () => {
    await meet({ onExec: (channel) => channel.end('Welcome!\n') });
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'command-not-run', mayHaveRun: true },
    });
  });

  it('answers and says how something ended that never was the command has not run it', async () => {
    await meet({
      onExec: (channel) => {
        channel.exit(1);
        channel.end();
      },
    });
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'command-not-run', mayHaveRun: false },
    });
  });

  it('goes in place of an answer may have run it, also where the reason takes a moment to find out', async () => {
    const openWay: OpenWay = async () => {
      const stream = connect(server.port, '127.0.0.1');
      await once(stream, 'connect');
      const explain = async (seen: Problem): Promise<Problem> => {
        await new Promise((resolve) => setImmediate(resolve));
        return seen;
      };
      return ok({ stream, latencyMs: null, isDirect: false, close: () => undefined, explain });
    };
    await meet({ closes: 'connection' }, { openWay });
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'link-lost', mayHaveRun: true },
    });
  });

  it('opens its file channel and closes it without a word has not said that it has no SFTP', async () => {
    await meet({ onSftp: (channel) => channel.close() });
    expect(await connection.checkSftp()).toMatchObject({ error: { code: 'session-unanswered' } });
    expect(await connection.openFiles()).toMatchObject({ error: { code: 'session-unanswered' } });
  });
});
