import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthContext } from 'ssh2';
import { readIdentityFile } from './identity-file.ts';
import {
  boxOf,
  openLoginBench,
  startAgent,
  startRefusingAgent,
  type LoginBench,
  type TestAgent,
} from './login.fixture.ts';
import { startLoginServer, type LoginScript, type LoginServer } from './login-server.fixture.ts';

const realSetTimeout = globalThis.setTimeout;

let bench: LoginBench;
let server: LoginServer;
let agent: TestAgent | null;

beforeEach(async () => {
  bench = await openLoginBench();
  agent = null;
  vi.stubEnv('HOME', bench.folder); // the usual files of nobody
});
afterEach(async () => {
  vi.useRealTimers();
  await bench.close();
  await server.stop();
  await agent?.stop();
  vi.unstubAllEnvs();
});

async function serve(script: LoginScript): Promise<void> {
  server = await startLoginServer(script);
}

/** Lets in who knows the password, and lists `offered` to everybody else. */
function passwordServer(password: string, offered = ['password']): LoginScript {
  return (context) => {
    if (context.method === 'password' && context.password === password) context.accept();
    else context.reject(offered as never);
  };
}

const problemOf = (result: Awaited<ReturnType<LoginBench['connect']>>) => {
  if (result.ok) expect.fail('it got in');
  return result.error;
};

async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    if (!isTrue()) throw new Error('not yet');
  });
}

describe('a password', () => {
  it('is asked for where the server takes one, and not asked again in this session', async () => {
    await serve(passwordServer('tr0ub4dor&3'));
    bench.reply = () => ['tr0ub4dor&3'];
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(bench.asked).toMatchObject([
      {
        boxName: 'train-a',
        account: 'root@127.0.0.1',
        subject: { kind: 'password' },
        refusal: null,
      },
    ]);
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
    expect(bench.secrets.names()).toEqual([]);
  });

  it('is kept if the person wishes, and forgotten with the box', async () => {
    await serve(passwordServer('tr0ub4dor&3'));
    bench.reply = () => ['tr0ub4dor&3'];
    bench.isToBeKept = true;
    await bench.connect(server.port);
    await until(() => bench.secrets.names().length === 1);
    expect(bench.secrets.names()).toEqual(['password:b1']);
    await bench.persons.forgetBox('b1');
    expect(bench.secrets.names()).toEqual([]);
    bench.isToBeKept = false;
    await bench.connect(server.port);
    expect(bench.asked).toHaveLength(2);
  });

  it('and a passphrase are forgotten when the person says so, also within the session', async () => {
    const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
    const login = { identityFiles: [mine] };
    await serve((context) => {
      if (context.method === 'publickey' || context.method === 'password') context.accept();
      else context.reject(context.username === 'by-key' ? ['publickey'] : ['password']);
    });
    bench.reply = ({ subject }) => [subject.kind === 'passphrase' ? 'open sesame' : 'pw'];
    await bench.connect(server.port);
    await bench.connect(server.port, { login, user: 'by-key' });
    expect(bench.persons.remembered()).toEqual([
      'password:b1',
      expect.stringMatching(/^passphrase:mine:/),
    ]);
    bench.persons.forgetRemembered('password:b1');
    await bench.connect(server.port);
    await bench.connect(server.port, { login, user: 'by-key' });
    expect(bench.asked.map(({ subject }) => subject.kind)).toEqual([
      'password',
      'passphrase',
      'password',
    ]);
    bench.persons.forgetRemembered(null);
    expect(bench.persons.remembered()).toEqual([]);
  });

  it('that is wrong is told and asked again, twice at most, and then nothing is tried', async () => {
    await serve(passwordServer('right'));
    bench.reply = () => ['wrong'];
    const { code, message, detail } = problemOf(await bench.connect(server.port));
    expect(code).toBe('auth-refused');
    expect(message).toContain('The box accepts: password.');
    expect(detail).toBe('password: refused\npassword: refused');
    expect(bench.asked.map(({ refusal }) => refusal)).toEqual([
      null,
      'The box did not accept that.',
    ]);
    expect(server.seen).toEqual(['none', 'password:wrong', 'password:wrong']);
  });

  it('that was kept and is refused is not sent twice', async () => {
    let right = 'old';
    await serve((context, at) => passwordServer(right)(context, at));
    bench.reply = () => [right];
    bench.isToBeKept = true;
    await bench.connect(server.port);
    await until(() => bench.secrets.names().length === 1);
    bench.persons.forgetRemembered(null);
    bench.isToBeKept = false;
    right = 'new';
    server.seen.splice(0);
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(server.seen).toEqual(['none', 'password:old', 'password:new']);
    expect(bench.asked[1]?.refusal).toBe('The box did not accept the password that was kept.');
    // Not ticked this time: the old one must not come back after a restart.
    await until(() => bench.secrets.names().length === 0);
  });

  it('is not asked for where the server takes none', async () => {
    await serve((context) => context.reject(['publickey', 'hostbased']));
    const { code, message } = problemOf(await bench.connect(server.port));
    expect(code).toBe('auth-refused');
    expect(message).toBe(
      'Sign-in failed for root@127.0.0.1: nothing was offered. The box accepts: publickey, hostbased.',
    );
    expect(bench.asked).toEqual([]);
    expect(server.seen).toEqual(['none']);
  });

  it('is not hidden among thousands of ways that the server says it takes, nor behind a long one', async () => {
    const ways = Array.from({ length: 3000 }, (_, n) => `way-${String(n)}\u202e`);
    await serve((context) => context.reject(['w'.repeat(1000), ...ways] as never));
    const { message } = problemOf(await bench.connect(server.port));
    expect(message).toMatch(/The box accepts: w{40}…, way-0, way-1, .*way-8\.$/);
  });

  it('on which the server hangs up counts as refused, not as a lost link', async () => {
    await serve((context, { hangUp }) => {
      if (context.method === 'password') hangUp();
      else context.reject(['password']);
    });
    bench.reply = () => ['x'];
    expect(problemOf(await bench.connect(server.port))).toMatchObject({
      code: 'auth-refused',
      detail: 'password: the box hung up on it',
    });
  });

  it('that has expired is said to be so', async () => {
    await serve((context) => {
      if (context.method === 'password') context.requestChange('Change it', () => undefined);
      else context.reject(['password']);
    });
    bench.reply = () => ['x'];
    const { code, message, nextStep } = problemOf(await bench.connect(server.port));
    expect([code, message]).toEqual([
      'auth-refused',
      '127.0.0.1 wants a new password for root before it lets you in.',
    ]);
    expect(nextStep).toContain('ssh root@127.0.0.1');
  });
});

describe('a question that is not answered', () => {
  it('ends the try when it is dismissed', async () => {
    await serve(passwordServer('right'));
    bench.reply = () => 'dismiss';
    expect(problemOf(await bench.connect(server.port)).code).toBe('question-dismissed');
    await until(() => server.open.size === 0);
  });

  it('goes away when the link is stopped, and leaves no connection', async () => {
    await serve(passwordServer('right'));
    const stopper = new AbortController();
    const connecting = bench.connect(server.port, { signal: stopper.signal });
    await until(() => bench.open().length === 1);
    stopper.abort();
    expect(problemOf(await connecting).code).toBe('aborted');
    expect(bench.open()).toEqual([]);
    await until(() => server.open.size === 0);
  });

  it('outlives a server that does not wait, and its answer starts a new log-in', async () => {
    await serve(passwordServer('right'));
    const connecting = bench.connect(server.port);
    await until(() => bench.open().length === 1);
    server.hangUp();
    await until(() => bench.open()[0]?.isLoginLost === true);
    expect(server.open.size).toBe(0);
    bench.questions.answer(bench.open()[0]!.id, ['right'], false);
    expect((await connecting).ok).toBe(true);
    expect(bench.asked).toHaveLength(1);
    expect(server.seen).toEqual(['none', 'none', 'password:right']);
  });

  it('holds no half-open log-in for ever: we hang up before the server does', async () => {
    await serve(passwordServer('right'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connecting = bench.connect(server.port);
    await untilReally(() => bench.open().length === 1);
    vi.advanceTimersByTime(99_000); // more than the log-in itself may take
    expect(server.open.size).toBe(1);
    vi.advanceTimersByTime(1000);
    await untilReally(() => server.open.size === 0);
    await untilReally(() => bench.open()[0]?.isLoginLost === true);
    bench.questions.answer(bench.open()[0]!.id, ['right'], false);
    expect((await connecting).ok).toBe(true);
  });
});

describe('the server’s own questions', () => {
  function prompting(
    rounds: readonly { prompt: string; echo?: boolean }[][],
    onAnswers: (answers: readonly string[][]) => boolean,
  ): LoginScript {
    return (context) => {
      if (context.method !== 'keyboard-interactive') {
        context.reject(['keyboard-interactive']);
        return;
      }
      const answers: string[][] = [];
      const next = (): void => {
        const round = rounds[answers.length];
        if (round !== undefined) {
          ask(context, round, (given) => {
            answers.push(given);
            next();
          });
        } else if (onAnswers(answers)) context.accept();
        else context.reject(['keyboard-interactive']);
      };
      next();
    };
  }

  function ask(
    context: AuthContext & { method: 'keyboard-interactive' },
    prompts: readonly { prompt: string; echo?: boolean }[],
    done: (answers: string[]) => void,
  ): void {
    const full = prompts.map(({ prompt, echo = false }) => ({ prompt, echo }));
    context.prompt(full, 'Two steps', 'Have your token ready.', done);
  }

  it('come in several rounds with several fields, echoed or not', async () => {
    const got: string[][] = [];
    await serve(
      prompting(
        [[{ prompt: 'Account:', echo: true }, { prompt: 'Password: ' }], [{ prompt: 'Code:' }]],
        (answers) => got.push(...answers) > 0,
      ),
    );
    bench.reply = ({ prompts }) => prompts.map(({ text }) => `<${text}>`);
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(got).toEqual([['<Account:>', '<Password:>'], ['<Code:>']]);
    expect(bench.asked).toMatchObject([
      {
        subject: { title: 'Two steps', instruction: 'Have your token ready.' },
        prompts: [
          { text: 'Account:', isEchoed: true },
          { text: 'Password:', isEchoed: false },
        ],
        keeping: { kind: 'never' },
      },
      { prompts: [{ text: 'Code:', isEchoed: false }], keeping: { kind: 'never' } },
    ]);
  });

  it('for the password alone are remembered like a password; a code never is', async () => {
    await serve(
      prompting([[{ prompt: "root's Password: " }]], (answers) => answers[0]?.[0] === 'pw'),
    );
    bench.reply = () => ['pw'];
    await bench.connect(server.port);
    await bench.connect(server.port);
    expect(bench.asked).toHaveLength(1);
    await server.stop();

    await serve(prompting([[{ prompt: 'Verification code: ' }]], () => true));
    await bench.connect(server.port);
    await bench.connect(server.port);
    expect(bench.asked).toHaveLength(3);
  });

  it('are shown without what hides or acts on a screen', async () => {
    await serve(
      prompting([[{ prompt: '\u001b]0;owned\u0007\u001b[31mPass\u202eword:\u0000' }]], () => true),
    );
    bench.reply = () => ['x'];
    await bench.connect(server.port);
    expect(bench.asked[0]?.prompts).toEqual([{ text: ']0;owned[31mPassword:', isEchoed: false }]);
  });

  it('are bounded: 10,000 at once, or without end, are no log-in', async () => {
    bench.reply = ({ prompts }) => prompts.map(() => 'no');
    // 5,000 fit into the largest packet that ssh2 takes, 10,000 do not.
    for (const length of [5000, 10_000]) {
      await serve(prompting([Array.from({ length }, () => ({ prompt: '' }))], () => true));
      expect(problemOf(await bench.connect(server.port)).code).toBe('login-garbled');
      expect(bench.asked).toEqual([]);
      await until(() => server.open.size === 0);
      await server.stop();
    }

    const endless = Array.from({ length: 1000 }, () => [{ prompt: 'again?' }]);
    await serve(prompting(endless, () => true));
    expect(problemOf(await bench.connect(server.port)).code).toBe('login-garbled');
    expect(bench.asked).toHaveLength(6);
    await until(() => server.open.size === 0);
  });

  it('that ask nothing are answered with nothing, for a bounded time', async () => {
    await serve((context) => {
      if (context.method !== 'keyboard-interactive') context.reject(['keyboard-interactive']);
      else {
        const again = (): void => context.prompt([], () => setImmediate(again));
        again();
      }
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connecting = bench.connect(server.port);
    await untilReally(() => server.seen.includes('keyboard-interactive'));
    vi.advanceTimersByTime(20_000);
    expect(problemOf(await connecting).code).toBe('connect-timeout');
    await untilReally(() => server.open.size === 0);
  });

  it('that are listed but never asked give way to the password', async () => {
    await serve((context) => {
      if (context.method === 'password') context.accept();
      else context.reject(['keyboard-interactive', 'password']);
    });
    bench.reply = () => ['pw'];
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(server.seen).toEqual(['none', 'keyboard-interactive', 'password:pw']);
  });
});

describe('keys', () => {
  const accept =
    (...names: string[]): LoginScript =>
    (context) => {
      const keys = names.map((name) => publicBlob(name));
      if (context.method !== 'publickey' || !keys.includes(context.key.data.toString('base64'))) {
        context.reject(['publickey']);
      } else context.accept();
    };
  const publicBlob = (name: string): string =>
    readFileSync(join(bench.folder, `${name}.pub`), 'utf8').split(' ')[1] ?? '';

  it.each(['ed25519', 'ecdsa', 'rsa'])('an %s key of a real agent lets us in', async (type) => {
    agent = await startAgent(bench.folder);
    agent.add(bench.makeKey('mine', { type }));
    bench.env = { SSH_AUTH_SOCK: agent.socket };
    await serve(accept('mine'));
    expect((await bench.connect(server.port)).ok).toBe(true);
    expect(server.seen).toEqual(['none', 'publickey:asked', 'publickey:signed']);
  });

  it('are offered a few at a time, the named one first, and the rest is said', async () => {
    agent = await startAgent(bench.folder);
    const names = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    agent.add(...names.map((name) => bench.makeKey(name)));
    bench.env = { SSH_AUTH_SOCK: agent.socket };
    await serve(accept('k6'));
    const refused = problemOf(await bench.connect(server.port));
    expect(server.seen.filter((line) => line === 'publickey:asked')).toHaveLength(4);
    expect(refused.code).toBe('auth-refused');
    expect(refused.nextStep).toContain('Name this box’s key file');
    expect(refused.detail).toMatch(/k1 in the agent \(ssh-ed25519 SHA256:\S+\): refused/);
    expect(refused.detail).toContain('not offered: k5 in the agent, k6 in the agent');

    const login = { identityFiles: [join(bench.folder, 'k6.pub')] };
    expect((await bench.connect(server.port, { login })).ok).toBe(true);
  });

  it('of the agent stay there when only the named ones are wanted', async () => {
    agent = await startAgent(bench.folder);
    agent.add(bench.makeKey('k1'));
    bench.env = { SSH_AUTH_SOCK: agent.socket };
    const named = bench.makeKey('k2');
    await serve(accept('k1'));
    await bench.connect(server.port, { login: { identityFiles: [named], isOnlyIdentities: true } });
    expect(server.seen).toEqual(['none', 'publickey:asked']);
  });

  it('that the agent will not sign with do not end the log-in', async () => {
    bench.makeKey('mine');
    // An agent that lists keys and signs nothing, as one does whose owner says no.
    const refusing = join(bench.folder, 'refusing.sock');
    const blob = Buffer.from(publicBlob('mine'), 'base64');
    const stop = await startRefusingAgent(refusing, blob);
    bench.env = { SSH_AUTH_SOCK: refusing };
    await serve((context) => {
      if (context.method === 'publickey') context.accept();
      else context.reject(['publickey', 'password']);
    });
    bench.reply = () => ['pw'];
    const { detail } = problemOf(await bench.connect(server.port));
    stop();
    expect(detail).toContain('in the agent: Agent responded with failure');
    expect(server.seen.at(-1)).toBe('password:pw');
  });

  it('of an agent that is gone are no reason to fail', async () => {
    bench.env = { SSH_AUTH_SOCK: join(bench.folder, 'nobody.sock') };
    bench.makeKey('mine');
    await serve(accept('mine'));
    const login = { identityFiles: [join(bench.folder, 'mine')] };
    expect((await bench.connect(server.port, { login })).ok).toBe(true);
    const { detail } = problemOf(await bench.connect(server.port));
    expect(detail).toContain('the SSH agent could not be asked');
  });

  it('then the password, where the server wants both', async () => {
    const mine = bench.makeKey('mine');
    await serve((context) => {
      const isSigned = server.seen.includes('publickey:signed');
      if (context.method === 'password' && isSigned && context.password === 'pw') context.accept();
      else if (context.method === 'publickey' && context.signature === undefined) context.accept();
      else if (context.method === 'publickey') context.reject(['password'], true);
      else context.reject(isSigned ? ['password'] : ['publickey']);
    });
    bench.reply = () => ['pw'];
    const login = { identityFiles: [mine] };
    expect((await bench.connect(server.port, { login })).ok).toBe(true);
    expect(server.seen.at(-1)).toBe('password:pw');
  });

  describe('with a passphrase', () => {
    it('are asked for only if the server knows them, and while nothing is connected', async () => {
      const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve((context) => context.reject(['publickey']));
      const login = { identityFiles: [mine] };
      expect(problemOf(await bench.connect(server.port, { login })).code).toBe('auth-refused');
      expect(bench.asked).toEqual([]);
      await server.stop();

      await serve(accept('mine'));
      const connecting = bench.connect(server.port, { login });
      await until(() => bench.open().length === 1);
      await until(() => server.open.size === 0);
      expect(bench.open()[0]).toMatchObject({
        subject: { kind: 'passphrase', keyFile: mine },
        prompts: [{ text: 'Passphrase', isEchoed: false }],
      });
      bench.questions.answer(bench.open()[0]!.id, ['open sesame'], false);
      expect((await connecting).ok).toBe(true);
      expect(server.seen.at(-1)).toBe('publickey:signed');

      // Once in a session is enough.
      expect((await bench.connect(server.port, { login })).ok).toBe(true);
      expect(bench.asked).toHaveLength(1);
      expect(bench.secrets.names()).toEqual([]);
    });

    it('are asked again when it is wrong, three times, and nothing is sent', async () => {
      const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve(accept('mine'));
      bench.reply = () => ['wrong'];
      const { code } = problemOf(
        await bench.connect(server.port, { login: { identityFiles: [mine] } }),
      );
      expect(code).toBe('passphrase-wrong');
      expect(bench.asked.map(({ refusal }) => refusal)).toEqual([
        null,
        'That is not the passphrase of this key.',
        'That is not the passphrase of this key.',
      ]);
      expect(server.seen).not.toContain('publickey:signed');
    });

    it('are kept if the person wishes, under a name that tells which key it is', async () => {
      const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve(accept('mine'));
      bench.reply = () => ['open sesame'];
      bench.isToBeKept = true;
      await bench.connect(server.port, { login: { identityFiles: [mine] } });
      expect(bench.secrets.names()).toEqual([
        expect.stringMatching(/^passphrase:mine:[0-9a-f]{16}$/),
      ]);
    });

    it('are neither used nor called wrong where the log-in is stopped while it is checked', async () => {
      const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve(accept('mine'));
      const stopper = new AbortController();
      bench.isToBeKept = true;
      const answers = ['wrong', 'wrong', 'open sesame'];
      bench.reply = () => {
        if (answers.length === 1) setImmediate(() => stopper.abort());
        return answers.splice(0, 1);
      };
      const login = { identityFiles: [mine] };
      const stopped = await bench.connect(server.port, { login, signal: stopper.signal });
      expect(problemOf(stopped).code).toBe('aborted');
      expect(answers).toEqual([]);
      expect(bench.secrets.names()).toEqual([]);
      expect(bench.persons.remembered()).toEqual([]);
    });

    it('that is kept opens the key once, however many boxes come at once', async () => {
      const file = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve(accept('mine'));
      bench.reply = () => ['open sesame'];
      bench.isToBeKept = true;
      await bench.connect(server.port, { login: { identityFiles: [file] } });
      bench.persons.forgetRemembered(null);

      const identity = await readIdentityFile(file);
      if (identity.kind !== 'locked') throw new Error(identity.kind);
      const unlock = vi.fn(identity.key.unlock.bind(identity.key));
      const recall = ({ signal }: AbortController) =>
        bench.persons.forBox(boxOf(server.port)).recall({ ...identity.key, unlock }, signal);
      const stoppers = Array.from({ length: 5 }, () => new AbortController());
      const recalling = stoppers.map(recall);
      // Who comes first goes away: the next one does it.
      stoppers[0]?.abort();
      const [first, ...others] = await Promise.all(recalling);
      expect(first).toBeNull();
      expect(new Set(others).size).toBe(1);
      expect(others[0]?.isPrivateKey()).toBe(true);
      expect(unlock).toHaveBeenCalledTimes(2);
    });

    it('in the old format are asked for before anything is dialled', async () => {
      const mine = bench.makeKey('mine', { type: 'rsa' });
      execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-N', 'open sesame', '-f', mine]);
      copyFileSync(`${mine}.pub`, join(bench.folder, 'kept.pub'));
      writeFileSync(`${mine}.pub`, 'not a key');
      await serve(accept('kept'));
      const connecting = bench.connect(server.port, { login: { identityFiles: [mine] } });
      await until(() => bench.open().length === 1);
      expect(server.count()).toBe(0);
      bench.questions.answer(bench.open()[0]!.id, ['open sesame'], false);
      expect((await connecting).ok).toBe(true);
    });

    it('serve every box that waits for the same key', async () => {
      const mine = bench.makeKey('mine', { passphrase: 'open sesame' });
      await serve(accept('mine'));
      const login = { identityFiles: [mine] };
      const both = [
        bench.connect(server.port, { login, boxId: 'b1' }),
        bench.connect(server.port, { login, boxId: 'b2' }),
      ];
      await until(() => bench.open().length === 2);
      bench.questions.answer(bench.open()[0]!.id, ['open sesame'], false);
      expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true]);
      expect(bench.open()).toEqual([]);
    });
  });

  it('with a certificate: says that it could not be presented, and what to do', async () => {
    const mine = bench.makeKey('mine');
    const ca = bench.makeKey('ca');
    execFileSync('ssh-keygen', ['-q', '-s', ca, '-I', 'me', '-n', 'root', `${mine}.pub`]);
    await serve((context) => context.reject(['publickey']));
    const { code, message, nextStep } = problemOf(
      await bench.connect(server.port, { login: { identityFiles: [mine] } }),
    );
    expect(code).toBe('certificate-unsupported');
    expect(message).toContain('mine-cert.pub');
    expect(nextStep).toContain('authorized_keys');
  });
});

/** For tests with a stopped clock: waits by the real one. */
async function untilReally(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !isTrue(); turn += 1) {
    await new Promise((resolve) => realSetTimeout(resolve, 10));
  }
  expect(isTrue()).toBe(true);
}
