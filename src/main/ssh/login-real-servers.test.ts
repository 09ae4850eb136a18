import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLoginBench, startAgent, type LoginBench, type TestAgent } from './login.fixture.ts';
import {
  canHaveDropbear,
  canHavePasswords,
  startPasswordDropbear,
  startPasswordSshd,
  type PasswordSshd,
  type PasswordSshdOptions,
} from './password-sshd.fixture.ts';

// The scripted server says what we think that OpenSSH says. Here OpenSSH says it.
describe.skipIf(!canHavePasswords)('logging in to a real OpenSSH server (needs root)', () => {
  let bench: LoginBench;
  let sshd: PasswordSshd;
  let agent: TestAgent | null;

  beforeEach(async () => {
    bench = await openLoginBench();
    agent = null;
    vi.stubEnv('HOME', bench.folder);
  });
  afterEach(async () => {
    await bench.close();
    await sshd.stop();
    await agent?.stop();
    vi.unstubAllEnvs();
  });

  async function serve(options?: PasswordSshdOptions): Promise<void> {
    sshd = await startPasswordSshd(options);
  }

  async function holdInAgent(...names: string[]): Promise<void> {
    agent = await startAgent(bench.folder);
    agent.add(...names.map((name) => bench.makeKey(name)));
    bench.env = { SSH_AUTH_SOCK: agent.socket };
  }

  it('by password, after a wrong one', async () => {
    await serve();
    bench.reply = ({ refusal }) => [refusal === null ? 'wrong' : sshd.password];
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(bench.asked).toMatchObject([
      { subject: { kind: 'password' } },
      { refusal: 'The box did not accept that.' },
    ]);
    expect(bench.ways).toEqual(['password']);
  });

  it('by the questions that PAM asks', async () => {
    await serve({ config: ['UsePAM yes', 'KbdInteractiveAuthentication yes'] });
    bench.reply = () => [sshd.password];
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(bench.asked).toMatchObject([
      { subject: { kind: 'prompts' }, prompts: [{ text: 'Password:', isEchoed: false }] },
    ]);
    // One question for the password alone is remembered like a password.
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
  });

  it('by a key of the agent and then the password, where the server wants both', async () => {
    await holdInAgent('mine');
    await serve({
      config: ['AuthenticationMethods publickey,password'],
      authorizedKeys: [`${bench.folder}/mine.pub`],
    });
    bench.reply = () => [sshd.password];
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
    expect(sshd.log()).toContain('Partial publickey for root');
    // Its log comes by another way than its answer.
    await vi.waitFor(() => expect(sshd.log()).toContain('Accepted password for root'));
  });

  it('by two keys, where the server wants two', async () => {
    await holdInAgent('first', 'second');
    await serve({
      config: ['AuthenticationMethods publickey,publickey', 'PasswordAuthentication no'],
      authorizedKeys: [`${bench.folder}/first.pub`, `${bench.folder}/second.pub`],
    });
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(bench.ways).toEqual(['key']);
  });

  it('by a password after all the keys that may be offered were refused', async () => {
    await holdInAgent('k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7');
    await serve();
    bench.reply = () => [sshd.password];
    expect((await bench.connect(sshd.port)).ok).toBe(true);
    expect(sshd.log()).not.toContain('maximum authentication attempts');
  });

  it('is refused, and not tried again by itself, where the server allows fewer tries', async () => {
    await holdInAgent('k1', 'k2', 'k3');
    await serve({ config: ['MaxAuthTries 2'] });
    const refused = await bench.connect(sshd.port);
    expect(refused).toMatchObject({ ok: false, error: { code: 'auth-refused' } });
    if (refused.ok) return;
    expect(refused.error.detail).toContain('the box said: Too many authentication failures');
  });

  it('starts anew with the answer when the server’s patience is over', async () => {
    await serve({ config: ['LoginGraceTime 1'] });
    const connecting = bench.connect(sshd.port);
    await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
    bench.questions.answer(bench.open()[0]!.id, [sshd.password], false);
    expect((await connecting).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
  }, 30_000);

  it('cannot be done with a certificate, also from the agent, and says so', async () => {
    const mine = bench.makeKey('mine');
    const ca = bench.makeKey('ca');
    execFileSync('ssh-keygen', ['-q', '-s', ca, '-I', 'me', '-n', 'root', `${mine}.pub`]);
    agent = await startAgent(bench.folder);
    agent.add(mine); // takes the certificate beside it too
    bench.env = { SSH_AUTH_SOCK: agent.socket };
    await serve({ config: [`TrustedUserCAKeys ${ca}.pub`, 'PasswordAuthentication no'] });
    // OpenSSH's own client gets in, so the certificate is in order.
    const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'];
    const args = [...options.flatMap((each) => ['-o', each]), '-i', mine, '-p', String(sshd.port)];
    execFileSync('ssh', [...args, 'root@127.0.0.1', 'true'], { stdio: 'pipe' });
    const refused = await bench.connect(sshd.port, { login: { identityFiles: [mine] } });
    expect(refused).toMatchObject({ ok: false, error: { code: 'certificate-unsupported' } });
  });
});

it.skipIf(!canHaveDropbear)('logging in to a real dropbear, key refused, by password', async () => {
  const bench = await openLoginBench();
  const server = await startPasswordDropbear();
  const file = bench.makeKey('mine');
  bench.reply = ({ refusal }) => [refusal === null ? 'wrong' : server.password];
  const opened = await bench.connect(server.port, { login: { identityFiles: [file] } });
  expect(opened.ok).toBe(true);
  expect(bench.asked).toHaveLength(2);
  await bench.close();
  await server.stop();
});
