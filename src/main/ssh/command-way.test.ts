import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_OPTIONS, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { throughCommand } from './command-way.ts';
import { openConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { talkInTerminal } from './terminal.fixture.ts';

let folder: string;
let sshd: TestSshd;
let gate: TestSshd;

const file = (name: string): string => join(folder, name);

function boxAt(port: number, address: Partial<Box['address']> = {}): Box {
  return {
    ...USUAL_WAY,
    options: { ...USUAL_OPTIONS, configHost: 'my-gpu' },
    id: 'b1',
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '127.0.0.1', port, user: sshd.user, ...address },
    tags: [],
    addedAtMs: 0,
  };
}

async function connect(command: string, box = boxAt(sshd.port), signal?: AbortSignal) {
  return openConnection({
    address: box.address,
    openWay: throughCommand(box, command, { ...process.env, SHELL: '/bin/sh' }),
    credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
    judgeHostKey: ({ fingerprint }) => (fingerprint === sshd.fingerprint ? 'accept' : 'refuse'),
    signal: signal ?? new AbortController().signal,
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // that is the question
  }
}

describe.skipIf(!hasSshd || process.platform === 'win32')('a way through a command', () => {
  beforeAll(async () => {
    [sshd, gate] = await Promise.all([startSshd(), startSshd()]);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-command-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  afterAll(() => Promise.all([sshd.stop(), gate.stop()]));

  const throughGate = (): string =>
    `ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -i ${gate.keyFile} -p ${gate.port} -W %h:%p %r@127.0.0.1`;

  it('carries a terminal, with its size and its keys', async () => {
    const result = await connect(throughGate());
    if (!result.ok) throw new Error(result.error.message);
    const { text, status } = await talkInTerminal(result.value);
    expect(text).toMatch(/33 99/);
    expect(status).toMatchObject({ code: 5 });
    result.value.close();
    await result.value.closed;
  });

  it('reaches the box through the system’s own ssh, and ends it', async () => {
    const opened = await connect(`echo $$ >${file('pid')}; exec ${throughGate()}`);
    // "exec echo …;" would be the whole command: the list needs a shell of its own, as with OpenSSH.
    expect(opened.ok).toBe(false);
    const inShell = await connect(`sh -c 'echo $$ >${file('pid')}; exec ${throughGate()}'`);
    if (!inShell.ok) throw new Error(inShell.error.message);
    expect(inShell.value.latencyMs).toBeNull();
    expect(await inShell.value.run('echo through')).toMatchObject({
      value: { stdout: 'through\n' },
    });
    const pid = Number(readFileSync(file('pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    inShell.value.close();
    await inShell.value.closed;
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('fills in the tokens of OpenSSH', async () => {
    await connect(`sh -c 'printf "%%s " "%h" "%n" "%p" "%r" >${file('said')}'`);
    expect(readFileSync(file('said'), 'utf8')).toBe(`127.0.0.1 my-gpu ${sshd.port} ${sshd.user} `);
  });

  it.each([
    [
      'a failing command',
      'sh -c \'echo "no way to the gate" >&2; exit 3\'',
      /ended with code 3: no way/,
    ],
    ['a command that is not there', '/nonexistent/proxy', /ended with code 127/],
    ['a command that ends at once', 'true', /ended with code 0/],
    ['a token that OpenSSH does not know', 'nc %h %q', /contains %q/],
  ])('names %s', async (_what, command, message) => {
    expect(await connect(command)).toMatchObject({
      ok: false,
      error: { code: 'proxy-command-failed', message: expect.stringMatching(message) },
    });
  });

  it('names a command that talks garbage for ever, and ends it', async () => {
    const opened = await connect(`sh -c 'echo $$ >${file('pid')}; exec yes'`);
    expect(opened).toMatchObject({ ok: false, error: { code: 'key-exchange-refused' } });
    const pid = Number(readFileSync(file('pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('ends the whole group of a command that says nothing, however deaf', async () => {
    const stopper = new AbortController();
    const opening = connect(
      `sh -c 'trap "" TERM; sleep 3600 & echo $! >${file('child')}; echo $$ >${file('pid')}; wait; sleep 3600'`,
      boxAt(sshd.port),
      stopper.signal,
    );
    await expect.poll(() => existsSync(file('pid')) && statSync(file('pid')).size > 0).toBe(true);
    stopper.abort();
    expect(await opening).toMatchObject({ error: { code: 'aborted' } });
    const pids = ['pid', 'child'].map((name) => Number(readFileSync(file(name), 'utf8')));
    await expect.poll(() => pids.some(isAlive)).toBe(false);
  });

  it.each([{ host: '$(touch${IFS}x)' }, { host: 'a;b' }, { user: '`id`' }, { user: 'a|b' }])(
    'puts no %j before a shell',
    async (address) => {
      const opened = await connect(
        `sh -c 'echo ran >${file('ran')}; echo %h %r'`,
        boxAt(1, address),
      );
      expect(opened).toMatchObject({ error: { code: 'proxy-command-failed' } });
      expect(existsSync(file('ran'))).toBe(false);
    },
  );
});
