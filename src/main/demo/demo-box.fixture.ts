import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type ClientChannel, type ConnectConfig, type ExecOptions } from 'ssh2';
import type { Log } from '../log/log.ts';
import { startDemoBox, type DemoBox, type DemoBoxOptions, type DemoTuning } from './demo-box.ts';

export const TOOLS_FOLDER = fileURLToPath(new URL('../../../resources/demo', import.meta.url));

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
  child: () => silentLog,
};

/** A world twenty times as fast, in which a dead run stays dead. */
export const FAST: DemoTuning = {
  tickMs: 50,
  rebootMs: 200,
  endMs: 100,
  pace: {
    stepS: 0.1,
    stepsPerEpoch: 3,
    epochs: 1000,
    pauseAfterFinishS: 0.2,
    pauseAfterDeathS: 1e6,
  },
};

export async function startTestBox(options: Partial<DemoBoxOptions> = {}): Promise<DemoBox> {
  const started = await startDemoBox({
    gpuModel: 'H100-80GB-HBM3',
    gpuCount: 2,
    toolsFolder: TOOLS_FOLDER,
    log: silentLog,
    tuning: FAST,
    ...options,
  });
  if (!started.ok) throw new Error(started.error.detail ?? started.error.message);
  return started.value;
}

export async function login(box: DemoBox, more: ConnectConfig = {}): Promise<Client> {
  const client = new Client();
  const { host, port, user } = box.address;
  client.connect({ host, port, username: user, privateKey: box.clientKey, ...more });
  await once(client, 'ready');
  client.on('error', () => undefined); // tests that cut the link look at what happens next
  return client;
}

export interface Outcome {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
}

export function openExec(
  client: Client,
  command: string,
  options: ExecOptions = {},
): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, options, (cause, channel) => {
      if (cause) return reject(cause);
      void noteEnd(channel);
      resolve(channel);
    });
  });
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}
const exits = new WeakMap<ClientChannel, Exit>();
const closings = new WeakMap<ClientChannel, Promise<void>>();

/** At once: of a short command its end may come in the same bytes as the channel, before anybody could wait for it. */
function noteEnd(channel: ClientChannel): Promise<void> {
  const noted = closings.get(channel);
  if (noted !== undefined) return noted;
  const closing = new Promise<void>((resolve) => channel.once('close', () => resolve()));
  closings.set(channel, closing);
  channel.on('exit', (code: number | null, signal?: string) => {
    exits.set(channel, { code, signal: signal?.replace(/^SIG/, '') ?? null });
  });
  return closing;
}

/** Everything that comes until the channel closes. Its input stays open. */
export async function collect(channel: ClientChannel): Promise<Outcome> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  channel.on('data', (chunk: Buffer) => stdout.push(chunk));
  channel.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  await noteEnd(channel);
  const { code, signal } = exits.get(channel) ?? { code: null, signal: null };
  return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), code, signal };
}

export async function exec(
  client: Client,
  command: string,
  options: ExecOptions = {},
  input?: Buffer | string,
): Promise<Outcome> {
  const channel = await openExec(client, command, options);
  const outcome = collect(channel);
  channel.end(input);
  return outcome;
}

/** The text a command prints, for commands that must work. */
export async function read(client: Client, command: string): Promise<string> {
  const { stdout, stderr, code } = await exec(client, command);
  if (code !== 0) throw new Error(`${command}: exit ${code ?? 'by signal'}: ${stderr}`);
  return stdout.toString();
}

/** Asks again until the answer satisfies; the test's own time limit ends a hopeless wait. */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isEnough: (answer: T) => boolean,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    await sleep(20);
  }
}
