import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLoginBench, type ConnectBenchOptions, type LoginBench } from './login.fixture.ts';
import { startLoginServer, type LoginServer } from './login-server.fixture.ts';
import { canHavePasswords, startPasswordSshd } from './password-sshd.fixture.ts';

let bench: LoginBench;
beforeEach(async () => {
  bench = await openLoginBench();
  vi.stubEnv('HOME', bench.folder);
});
afterEach(async () => {
  await bench.close();
  vi.unstubAllEnvs();
});

/** Logs in once with a password that is typed, and lets the keyring have it where it is wanted there. */
async function logInOnce(port: number, password: string, isToBeKept = false): Promise<void> {
  bench.reply = () => [password];
  bench.isToBeKept = isToBeKept;
  expect((await bench.connect(port)).ok).toBe(true);
  await vi.waitFor(() => expect(bench.secrets.names()).toHaveLength(isToBeKept ? 1 : 0));
  // As after a restart: what is kept comes from the keyring alone.
  if (isToBeKept) bench.persons.forgetRemembered(null);
  bench.asked.splice(0);
  bench.reply = () => 'dismiss';
}

describe('a remembered password', () => {
  const servers: LoginServer[] = [];
  async function serve(): Promise<LoginServer> {
    const server = await startLoginServer((context) => {
      if (context.method === 'password' && context.password === 'pw') context.accept();
      else context.reject(['password']);
    });
    servers.push(server);
    return server;
  }
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  const hop = { address: { host: 'gate.example', port: 22, user: 'me' }, identityFile: null };
  const changes: readonly (readonly [string, ConnectBenchOptions & { isElsewhere?: true }])[] = [
    ['another user', { user: 'alice' }],
    ['another host name', { host: 'localhost' }],
    ['another port', { isElsewhere: true }],
    ['a jump host on the way', { route: { kind: 'jumps', hops: [hop] } }],
    ['a command as the way', { route: { kind: 'command', command: 'nc %h %p' } }],
  ];

  describe.each([
    ['for this session', false],
    ['in the keyring', true],
  ])('%s', (_where, isToBeKept) => {
    it.each(changes)('is not sent after an edit to %s', async (_what, { isElsewhere, ...edit }) => {
      const server = await serve();
      await logInOnce(server.port, 'pw', isToBeKept);
      const now = isElsewhere === true ? await serve() : server;
      now.seen.splice(0);
      const opened = await bench.connect(now.port, edit);
      expect(opened).toMatchObject({ ok: false, error: { code: 'question-dismissed' } });
      expect(now.seen).toEqual(['none']);
      expect(bench.asked).toMatchObject([
        {
          refusal: expect.stringMatching(
            new RegExp(
              `^A password is remembered for root@127\\.0\\.0\\.1 port ${server.port}, key SHA256:\\S{43}(, when it was reached by another route)?\\. It was not sent\\.$`,
            ),
          ),
        },
      ]);
      // Back where it belongs, it is sent without a question.
      expect((await bench.connect(server.port)).ok).toBe(true);
      expect(bench.asked).toHaveLength(1);
    });
  });

  it('belongs to the new address once it was right there', async () => {
    const [before, after] = [await serve(), await serve()];
    await logInOnce(before.port, 'pw', true);
    bench.reply = () => ['pw'];
    expect((await bench.connect(after.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
    await bench.kept();
    bench.persons.forgetRemembered(null);
    expect((await bench.connect(after.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
    before.seen.splice(0);
    await bench.connect(before.port);
    expect(bench.asked).toHaveLength(2);
  });

  it('that an earlier version kept is asked for once, and is bound from then on', async () => {
    const server = await serve();
    await bench.secrets.set('password:b1', 'pw');
    bench.reply = () => ['pw'];
    bench.isToBeKept = true;
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(bench.asked).toMatchObject([
      { refusal: expect.stringContaining('kept by an earlier Leasehold') },
    ]);
    await bench.kept();
    bench.persons.forgetRemembered(null);
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
  });
});

describe.skipIf(!canHavePasswords)('beside a real OpenSSH server (needs root)', () => {
  it('that was typed for a machine which hung up is not sent to one with another key', async () => {
    const before = await startPasswordSshd({ config: ['LoginGraceTime 1'] });
    const connecting = bench.connect(before.port);
    await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
    await before.stop();
    const after = await startPasswordSshd({ port: before.port });
    try {
      bench.reply = () => 'dismiss';
      bench.questions.answer(bench.open()[0]!.id, [after.password], false);
      expect(await connecting).toMatchObject({ ok: false, error: { code: 'question-dismissed' } });
      expect(bench.asked).toHaveLength(2);
      expect(after.log()).not.toMatch(/(Accepted|Failed) password/);
    } finally {
      await after.stop();
    }
  });

  it('is not sent to a machine with another key at the same address', async () => {
    const before = await startPasswordSshd();
    await logInOnce(before.port, before.password, true);
    await before.stop();
    const after = await startPasswordSshd({ port: before.port });
    try {
      expect((await bench.connect(after.port)).ok).toBe(false);
      expect(bench.asked).toMatchObject([{ refusal: expect.stringContaining('It was not sent.') }]);
      await vi.waitFor(() => expect(after.log()).toContain('Connection closed by'));
      expect(after.log()).not.toMatch(/(Accepted|Failed) password/);
      bench.reply = () => [after.password];
      expect((await bench.connect(after.port)).ok).toBe(true);
      expect((await bench.connect(after.port)).ok).toBe(true);
      expect(bench.asked).toHaveLength(2);
    } finally {
      await after.stop();
    }
  });
});
