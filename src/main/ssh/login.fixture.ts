import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../../shared/boxes/box.ts';
import type { Login } from '../../shared/boxes/login.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { DIRECT, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Question } from '../../shared/questions/question.ts';
import type { Result } from '../../shared/result.ts';
import { createRedactor } from '../log/redact.ts';
import { openQuestions, type Questions } from '../questions/questions.ts';
import { openSecrets, type Secrets } from '../secrets/secrets.ts';
import { fakeVault } from '../secrets/secrets.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { gatherCredentials } from './credentials.ts';
import type { LoginWay } from './person.ts';
import { createPersons, type Persons } from './persons.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import type { OpenWay } from './way.ts';

/** What stands in for the person: an answer for each question, `null` for none (it stays open), or a dismissal. */
export type Reply = (question: Question) => readonly string[] | 'dismiss' | null;

/** Everything between a box and the window, real but for the person and the keyring. */
export interface LoginBench {
  readonly folder: string;
  readonly questions: Questions;
  readonly secrets: Secrets;
  readonly persons: Persons;
  readonly problems: Problem[];
  /** How each log-in so far was done. */
  readonly ways: LoginWay[];
  /** Every question so far. */
  readonly asked: Question[];
  /** What is open now, as a window would see it. */
  open(): readonly Question[];
  reply: Reply;
  isToBeKept: boolean;
  env: NodeJS.ProcessEnv;
  connect(port: number, options?: ConnectBenchOptions): Promise<Result<SshConnection, Problem>>;
  /** Makes a key pair in the folder, as the person would. */
  makeKey(name: string, options?: { passphrase?: string; type?: string }): string;
  /** Until all that was to be kept is kept: that goes on after a connection is there. */
  kept(): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectBenchOptions {
  readonly login?: Partial<Login>;
  readonly signal?: AbortSignal;
  readonly user?: string;
  readonly boxId?: string;
  /** Another name for this machine. */
  readonly host?: string;
  /** As the box has it; it is dialled directly all the same. */
  readonly route?: Route;
  readonly openWay?: OpenWay;
}

export function boxOf(
  port: number,
  { boxId = 'b1', user = 'root', host = '127.0.0.1', route = DIRECT }: ConnectBenchOptions = {},
): Box {
  return {
    id: boxId,
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host, port, user },
    ...USUAL_WAY,
    route,
    tags: [],
    addedAtMs: 0,
  };
}

export async function openLoginBench(): Promise<LoginBench> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-login-'));
  const hub = new StreamHub();
  hub.addClient(1, () => undefined);
  const questions = openQuestions(hub);
  const redactor = createRedactor();
  const { secrets } = await openSecrets({ folder, vault: fakeVault(), redactor });
  const problems: Problem[] = [];
  const persons = createPersons({
    questions,
    secrets,
    redactor,
    onProblem: (found) => problems.push(found),
    onLogin: (_boxId, way) => bench.ways.push(way),
  });
  const connections: SshConnection[] = [];
  const bench: LoginBench = {
    folder,
    questions,
    secrets,
    persons,
    problems,
    asked: [],
    ways: [],
    open: () => {
      const opened = hub.open(1, 'questions', '');
      return opened.ok ? (opened.value.state as readonly Question[]) : [];
    },
    reply: () => null,
    isToBeKept: false,
    env: {},
    connect: async (port, options = {}) => {
      const { login = {}, signal, openWay } = options;
      const box = boxOf(port, options);
      const trySignal = signal ?? new AbortController().signal;
      const credentials = await gatherCredentials({
        boxName: box.name,
        login: {
          identityFiles: [],
          certificateFiles: [],
          isOnlyIdentities: false,
          forwardAgent: false,
          ...login,
        },
        env: bench.env,
        platform: 'linux',
        person: persons.forBox(box),
        signal: trySignal,
      });
      if (!credentials.ok) return credentials;
      const opened = await openConnection({
        address: box.address,
        ...(openWay !== undefined && { openWay }),
        credentials: credentials.value,
        judgeHostKey: () => 'accept',
        signal: trySignal,
      });
      if (opened.ok) connections.push(opened.value);
      return opened;
    },
    makeKey: (name, { passphrase = '', type = 'ed25519' } = {}) => {
      const file = join(folder, name);
      // One round of bcrypt: how slow a passphrase is to guess is not what is tested.
      const more = ['-a', '1', ...(type === 'rsa' ? ['-b', '2048'] : [])];
      execFileSync('ssh-keygen', [
        '-q',
        '-t',
        type,
        ...more,
        '-N',
        passphrase,
        '-C',
        name,
        '-f',
        file,
      ]);
      return file;
    },
    // One after the other, and this one at the end.
    kept: async () => void (await secrets.forget('nothing')),
    close: async () => {
      questions.dismissAll();
      for (const connection of connections) {
        connection.close();
        await connection.closed;
      }
      hub.dispose();
      await bench.kept();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  questions.onAsked((question) => {
    bench.asked.push(question);
    const reply = bench.reply(question);
    if (reply === 'dismiss') questions.dismiss(question.id);
    else if (reply !== null) questions.answer(question.id, reply, bench.isToBeKept);
  });
  return bench;
}

/** A real ssh-agent that holds these keys. */
export interface TestAgent {
  readonly socket: string;
  add(...files: string[]): void;
  stop(): Promise<void>;
}

export async function startAgent(folder: string): Promise<TestAgent> {
  const socket = join(folder, 'agent.sock');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(agent.stdout, 'data'); // it prints its socket once it listens
  const env = { ...process.env, SSH_AUTH_SOCK: socket };
  return {
    socket,
    add: (...files) => void execFileSync('ssh-add', ['-q', ...files], { env, stdio: 'pipe' }),
    stop: async () => {
      const gone = once(agent, 'exit');
      agent.kill('SIGTERM');
      await gone;
    },
  };
}

/** Lists one key and fails every request to sign; returns how to end it. */
export async function startRefusingAgent(path: string, publicBlob: Buffer): Promise<() => void> {
  const REQUEST_IDENTITIES = 11;
  const sockets = new Set<Socket>();
  const withLength = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const identities = withLength(
    Buffer.concat([
      Buffer.from([12, 0, 0, 0, 1]),
      withLength(publicBlob),
      withLength(Buffer.from('mine')),
    ]),
  );
  const failure = withLength(Buffer.from([5]));
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // ssh2 destroys its end
    socket.on('data', (data) =>
      socket.write(data[4] === REQUEST_IDENTITIES ? identities : failure),
    );
  });
  server.listen(path);
  await once(server, 'listening');
  return () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}
