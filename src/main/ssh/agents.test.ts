import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listAgentKeys, OPENSSH_PIPE, selectAgent } from './agents.ts';
import { makeReadableKeyPair } from './readable-key-pair.ts';
import { field } from './wire-fields.ts';

it.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, boolean, string | null]>([
  ['the named one', { SSH_AUTH_SOCK: '/run/agent' }, 'linux', false, '/run/agent'],
  ['none where none is named', {}, 'linux', false, null],
  ['none for an empty name', { SSH_AUTH_SOCK: '' }, 'darwin', false, null],
  [
    'the named one on Windows too',
    { SSH_AUTH_SOCK: String.raw`\\.\pipe\mine` },
    'win32',
    true,
    String.raw`\\.\pipe\mine`,
  ],
  ['Windows’ own where it runs', {}, 'win32', true, OPENSSH_PIPE],
  ['else Pageant', {}, 'win32', false, 'pageant'],
])('chooses %s', (_name, env, platform, hasPipe, expected) => {
  expect(selectAgent(env, platform, (path) => hasPipe && path === OPENSSH_PIPE)).toBe(expected);
});

const KEY = makeReadableKeyPair().parsed;
const count = (keys: number): Buffer => Buffer.of(0, 0, 0, keys);
/** One message of an agent: what it holds. */
const holding = (keys: number, ...parts: readonly Buffer[]): Buffer =>
  field(Buffer.concat([Buffer.of(12), count(keys), ...parts]));

/** Stands where an agent listens: a socket with a name, or on Windows a pipe with one, which Node opens in the same way. */
describe('the keys of an agent', () => {
  let folder: string;
  let path: string;
  let agent: Server;
  let conversations: Set<Socket>;
  let answer: (socket: Socket) => void;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-agent-'));
    path =
      process.platform === 'win32'
        ? String.raw`\\.\pipe\leasehold-test-${String(process.pid)}`
        : join(folder, 'agent');
    conversations = new Set();
    agent = createServer((socket) => {
      conversations.add(socket);
      socket.on('close', () => conversations.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.once('data', () => answer(socket));
    });
    agent.listen(path);
    await once(agent, 'listening');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await vi.waitFor(() => expect(conversations.size).toBe(0));
    agent.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are listed by their comments, without what hides or acts on a screen', async () => {
    answer = (socket) =>
      socket.write(holding(1, field(KEY.getPublicSSH()), field('me@laptop\u202e\x1b[2J\n')));
    expect(await listAgentKeys(path)).toMatchObject({
      failure: null,
      signers: [{ label: 'me@laptop[2J in the agent', isOurs: false }],
    });
  });

  it.each<[string, Buffer | null]>([
    ['says that it failed', field(Buffer.of(5))],
    ['answers another question', field(Buffer.concat([Buffer.of(14), field('signature')]))],
    ['tells more keys than it shows', holding(9, field(KEY.getPublicSSH()), field('one'))],
    ['talks garbage', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['hangs up', null],
  ])('are none where it %s', async (_what, bytes) => {
    answer = (socket) => (bytes === null ? socket.destroy() : socket.end(bytes));
    const { signers, failure } = await listAgentKeys(path);
    expect({ signers, failure }).toEqual({ signers: [], failure: expect.any(String) });
  });

  it('are not waited for longer than five seconds, and the agent is asked nothing more', async () => {
    const asked = new Promise<void>((resolve) => (answer = () => resolve()));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const listing = listAgentKeys(path);
    await asked;
    await vi.advanceTimersByTimeAsync(5000);
    expect(await listing).toEqual({
      signers: [],
      failure: 'the SSH agent did not answer in time',
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are none where nobody listens', async () => {
    agent.close();
    await once(agent, 'close');
    const { failure } = await listAgentKeys(path);
    expect(failure).toContain('could not be asked');
  });
});
