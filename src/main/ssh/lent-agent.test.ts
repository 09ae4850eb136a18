import { LentAgent } from './lent-agent.ts';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentLending, AgentUse } from '../../shared/terminal/terminal.ts';
import type { RemoteTerminal } from './remote-terminal.ts';
import { makeReadableKeyPair } from './readable-key-pair.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type SshdOptions, type TestSshd } from './sshd.fixture.ts';

const hasAgent = spawnSync('ssh-agent', ['-h']).error === undefined;
const LIST = [0, 0, 0, 1, 11];
const COMMENT = 'the key of this very test';

const opened: SshConnection[] = [];
let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'leasehold-agent-'))));
afterEach(async () => {
  for (const connection of opened.splice(0)) {
    connection.close();
    await connection.closed;
  }
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function connect(
  { port, user, privateKey }: { port: number; user: string; privateKey: string },
  isAgentLent: boolean,
): Promise<SshConnection> {
  const result = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    isAgentLent,
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ''}`);
  opened.push(result.value);
  return result.value;
}

async function openTerminal(
  connection: SshConnection,
  command: string | undefined,
  onOutput: (text: string) => void = () => undefined,
  onAgentUse: (use: AgentUse) => void = () => undefined,
): Promise<RemoteTerminal> {
  const result = await connection.openTerminal({
    size: { cols: 80, rows: 24 },
    inFlightBytes: 256 * 1024,
    ...(command !== undefined && { command }),
    onOutput: (bytes) => onOutput(bytes.toString('utf8')),
    onAgentUse,
  });
  if (!result.ok) throw new Error(result.error.detail ?? result.error.message);
  return result.value;
}

/** What a command prints in a terminal, and whether the agent was lent to it. */
async function inTerminal(
  connection: SshConnection,
  command: string,
): Promise<{
  readonly said: string;
  readonly agent: AgentLending;
  readonly uses: readonly AgentUse[];
}> {
  let said = '';
  const uses: AgentUse[] = [];
  const terminal = await openTerminal(
    connection,
    command,
    (text) => (said += text),
    (use) => void uses.push(use),
  );
  await terminal.ended;
  return { said, agent: terminal.agent, uses };
}

describe.skipIf(!hasSshd || !hasAgent)('a real agent and a real sshd', () => {
  let agent: ChildProcess;
  let sshd: TestSshd;

  async function start(options: SshdOptions = {}): Promise<void> {
    const socket = join(folder, 'agent');
    agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(agent.stdout!, 'data');
    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', COMMENT, '-f', key]);
    const env = { ...process.env, SSH_AUTH_SOCK: socket };
    execFileSync('ssh-add', ['-q', key], { env, stdio: 'ignore' });
    vi.stubEnv('SSH_AUTH_SOCK', socket);
    sshd = await startSshd(options);
  }
  afterEach(async () => {
    await sshd.stop();
    const gone = once(agent, 'exit');
    agent.kill();
    await gone;
  });

  it('lends the keys to terminals where the person says so, and to nothing else', async () => {
    await start();
    const connection = await connect(sshd, true);
    // A command like the ones that Leasehold runs by itself, before any terminal.
    expect(await connection.run('ssh-add -l')).toMatchObject({
      value: { end: { kind: 'exited', code: 2 } },
    });
    const first = await inTerminal(connection, 'ssh-add -l');
    expect(first).toMatchObject({ agent: 'lent', said: expect.stringContaining(COMMENT) });
    // A second terminal over the same connection, and one that proves that signing works too.
    const second = await inTerminal(
      connection,
      `sh -c 'ssh-add -T ${folder}/key.pub && echo signed'`,
    );
    expect(second).toMatchObject({ agent: 'lent', said: expect.stringContaining('signed') });
    // sshd tells every later command where the agent is; nobody answers there once the terminals are gone.
    const later = await connection.run('ssh-add -l; echo "sock=$SSH_AUTH_SOCK"');
    expect(later.ok && later.value.stdout).toMatch(/sock=\/.+/);
    expect(later.ok && later.value.stdout).not.toContain(COMMENT);
  });

  it('lets the box list the keys and sign with them, and nothing else', async () => {
    await start();
    const connection = await connect(sshd, true);
    const listed = await inTerminal(connection, 'ssh-add -l');
    expect(listed).toMatchObject({ uses: [], said: expect.stringContaining(COMMENT) });
    const removing = await inTerminal(connection, 'sh -c "ssh-add -D; ssh-add -d; echo done"');
    expect(removing.said).toContain('done');
    expect(new Set(removing.uses)).toEqual(new Set(['denied']));
    const adding = await inTerminal(connection, `ssh-add ${sshd.keyFile}`);
    expect(adding.said).toMatch(/could not add identity/i);
    expect(adding.uses).toContain('denied');
    const used = await inTerminal(connection, `ssh-add -T ${folder}/key.pub`);
    expect(used.uses).toEqual(['signed']);
    // As the agent's owner sees it: the one key is there, and no other.
    const env = { ...process.env, SSH_AUTH_SOCK: join(folder, 'agent') };
    const held = execFileSync('ssh-add', ['-l'], { env, encoding: 'utf8' });
    expect(held.trim().split('\n')).toEqual([expect.stringContaining(COMMENT)]);
  });

  it('tells the agent whom it is lent to, which keeps back keys that are bound to other servers', async () => {
    await start();
    const known = join(folder, 'known_hosts');
    const [type, key] = sshd.hostKeys[0]!.split(' ');
    writeFileSync(known, `the-box ${type} ${key}\nelsewhere ${type} ${key}\n`);
    const env = { ...process.env, SSH_AUTH_SOCK: join(folder, 'agent') };
    /** A key that the agent uses only on these ways. */
    const add = (name: string, ...ways: readonly string[]): void => {
      const file = join(folder, name);
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
      const constraints = ways.flatMap((way) => ['-h', way]);
      execFileSync('ssh-add', ['-q', '-H', known, ...constraints, file], { env, stdio: 'ignore' });
    };
    add('for-the-box-alone', 'the-box');
    add('from-the-box-on', 'the-box', 'the-box>elsewhere');
    const connection = await connect(sshd, true);
    const { said } = await inTerminal(connection, 'ssh-add -l');
    expect(said).toContain(COMMENT);
    expect(said).toContain('from-the-box-on');
    expect(said).not.toContain('for-the-box-alone');
  });

  it('lends nothing by itself', async () => {
    await start();
    const connection = await connect(sshd, false);
    const { said, agent: lending } = await inTerminal(connection, 'ssh-add -l');
    expect(lending).toBe('off');
    expect(said).toMatch(/could not open a connection to your authentication agent/i);
  });

  it('opens the terminal all the same where the box takes no agent, and says so', async () => {
    await start({ configLines: ['AllowAgentForwarding no'] });
    const connection = await connect(sshd, true);
    const { said, agent: lending } = await inTerminal(connection, 'sh -c "ssh-add -l; echo done"');
    expect(lending).toBe('refused');
    expect(said).toContain('done');
    expect(said).not.toContain(COMMENT);
  });

  it('says that there is no agent to lend', async () => {
    await start();
    vi.stubEnv('SSH_AUTH_SOCK', '');
    const { agent: lending } = await inTerminal(await connect(sshd, true), 'true');
    expect(lending).toBe('missing');
  });
});

describe('a box that reaches for the agent unasked', () => {
  const keys = makeReadableKeyPair();
  let box: ssh2.Server;
  let onBox: ssh2.Connection;
  let agent: Server;
  let conversations: Set<Socket>;
  let port: number;

  beforeEach(async () => {
    conversations = new Set();
    agent = createServer((socket) => {
      conversations.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => conversations.delete(socket));
      socket.on('data', (asked) => socket.write(asked));
    });
    agent.listen(join(folder, 'agent'));
    await once(agent, 'listening');
    vi.stubEnv('SSH_AUTH_SOCK', join(folder, 'agent'));
    box = new ssh2.Server({ hostKeys: [keys.private] }, (client) => {
      onBox = client;
      client.on('error', () => undefined);
      client.on('authentication', (attempt) => attempt.accept());
      client.on('session', (accept) => {
        const session = accept();
        session.on('pty', (answer) => answer());
        session.on('auth-agent', (answer) => answer());
        session.on('shell', (answer) => answer());
      });
    });
    box.listen(0, '127.0.0.1');
    await once(box, 'listening');
    port = (box.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) {
      connection.close();
      await connection.closed;
    }
    await vi.waitFor(() => expect(conversations.size).toBe(0));
    agent.close();
    box.close();
  });

  const login = (isAgentLent: boolean) =>
    connect({ port, user: 'me', privateKey: keys.private }, isAgentLent);

  /** ssh2's server has no words for this channel, so it is opened with its own pieces. */
  function reach(): Promise<Duplex> {
    const { _chanMgr, _protocol } = onBox as unknown as {
      readonly _chanMgr: { add(taker: object): number };
      readonly _protocol: { openssh_authAgent(id: number, window: number, packet: number): void };
    };
    return new Promise((resolve, reject) => {
      const taker = (cause: Error | undefined, stream: Duplex): void =>
        cause ? reject(cause) : resolve(stream);
      const id = _chanMgr.add(Object.assign(taker, { type: 'auth-agent@openssh.com' }));
      _protocol.openssh_authAgent(id, 64 * 1024, 32 * 1024);
    });
  }

  /** Asks for the list of keys; the agent of these tests sends back what it gets. */
  async function echo(stream: Duplex): Promise<readonly number[]> {
    stream.write(Buffer.from(LIST));
    const [answer] = (await once(stream, 'data')) as [Buffer];
    return [...answer];
  }

  it('is refused where nothing is lent, terminal or not', async () => {
    const connection = await login(false);
    await expect(reach()).rejects.toThrow(/open failure/);
    const terminal = await openTerminal(connection, undefined);
    await expect(reach()).rejects.toThrow(/open failure/);
    expect(terminal.agent).toBe('off');
    expect(conversations.size).toBe(0);
  });

  it('is answered while a terminal is open that was lent it, and cut off with the last one', async () => {
    const connection = await login(true);
    await expect(reach()).rejects.toThrow(/open failure/);
    const [first, second] = [
      await openTerminal(connection, undefined),
      await openTerminal(connection, undefined),
    ];
    const stream = await reach();
    expect(await echo(stream)).toEqual(LIST);
    first.close();
    await first.ended;
    expect(await echo(stream)).toEqual(LIST);
    const hungUp = once(stream, 'end');
    second.close();
    await second.ended;
    await hungUp;
    await vi.waitFor(() => expect(conversations.size).toBe(0));
    await expect(reach()).rejects.toThrow(/open failure/);
  });

  it('gets no more than sixteen conversations at once', async () => {
    const connection = await login(true);
    await openTerminal(connection, undefined);
    const streams = await Promise.all(Array.from({ length: 16 }, reach));
    await expect(reach()).rejects.toThrow(/open failure/);
    const ended = once(streams[0]!, 'close');
    streams[0]!.resume();
    streams[0]!.end();
    await ended;
    await vi.waitFor(() => expect(conversations.size).toBe(15));
    expect(await echo(await reach())).toEqual(LIST);
  });

  it('is refused while the agent does not answer, and the terminal stays', async () => {
    const connection = await login(true);
    const terminal = await openTerminal(connection, undefined);
    agent.close();
    await once(agent, 'close');
    await expect(reach()).rejects.toThrow(/open failure/);
    let isOver = false;
    void terminal.ended.then(() => (isOver = true));
    await expect(reach()).rejects.toThrow(/open failure/);
    expect(isOver).toBe(false);
  });
});

describe('the lent agent', () => {
  const refusal = (agent: LentAgent): Promise<string | undefined> =>
    new Promise((resolve) => agent.getStream((cause) => resolve(cause?.message)));

  it('is no agent to log in with', () => {
    let said: unknown;
    new LentAgent('/nowhere').getIdentities((cause) => (said = cause));
    expect(said).toBeInstanceOf(Error);
  });

  it('is not even dialled while it is not lent', async () => {
    const agent = new LentAgent('/nowhere');
    agent.bindTo(Buffer.of(1));
    expect(await refusal(agent)).toBe('the agent is not lent');
  });

  it('is not dialled where it cannot be told to whom it is lent', async () => {
    const agent = new LentAgent('/nowhere');
    agent.lend(() => undefined);
    expect(await refusal(agent)).toBe('the agent cannot be told whom it is lent to');
  });

  describe('that answers', () => {
    let server: Server;
    let agent: LentAgent;
    beforeEach(async () => {
      server = createServer((socket) => socket.on('error', () => socket.destroy()));
      server.listen(join(folder, 'dialled'));
      await once(server, 'listening');
      agent = new LentAgent(join(folder, 'dialled'));
      agent.bindTo(Buffer.of(1));
    });
    afterEach(() => void server.close());

    it('is not handed over where the last terminal went while it was dialled', async () => {
      const takeBack = agent.lend(() => undefined);
      const answer = refusal(agent);
      takeBack();
      expect(await answer).toBe('the agent is not lent');
    });

    it('is taken from who has it with the last terminal', async () => {
      const takeBack = agent.lend(() => undefined);
      const door = await new Promise<Duplex | undefined>((resolve) =>
        agent.getStream((_cause, stream) => resolve(stream)),
      );
      takeBack();
      await new Promise((resolve) => setImmediate(resolve)); // behind its own
      expect(door?.destroyed).toBe(true);
    });
  });
});
