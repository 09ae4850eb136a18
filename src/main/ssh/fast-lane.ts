import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Endpoint } from '../../shared/tunnels/tunnel.ts';
import type { OfferedHostKey } from './host-key.ts';
import { serveKey } from './key-agent.ts';
import { receiveOver, type Received, type Receiving } from './lane-receive.ts';
import { connectPooled } from './pooled-socket.ts';
import type { Signer } from './signer.ts';

/**
 * The system's OpenSSH as a second way to the same box, for bulk data: its ciphers are several times faster than what
 * Electron's runtime offers (decision 14 has the figures). It carries streams and decides nothing: the key it accepts is
 * the one that the link has verified, the key it logs in with stays in this process.
 */
export interface FastLane {
  /** A stream to a port that the box can reach. */
  openStream(target: Endpoint): Promise<Result<Socket, Problem>>;
  /** Runs a command whose output ssh itself writes to the end of a file: none of it passes this process. */
  receive(command: string, receiving: Receiving): Promise<Result<Received, Problem>>;
  /** Settles when it is gone, however it went. */
  readonly gone: Promise<void>;
  close(): void;
}

export interface FastLaneOptions {
  readonly address: SshAddress;
  /** False: something is in between that the system's ssh knows nothing of. */
  readonly isDirect: boolean;
  /** The key that the link's connection was let in with; null: it was let in another way. */
  readonly signer: Signer | null;
  /** SECURITY: the only key that is accepted; the link's connection has just been made with it. */
  readonly hostKey: OfferedHostKey;
  /** What came from the box through its streams, without what ssh adds. */
  readonly onReceived: (bytes: number) => void;
  /** Nobody waits for it any more; one that is open is closed by itself. */
  readonly signal: AbortSignal;
}

const READY_TIMEOUT_MS = 20_000;
const COMMAND_TIMEOUT_MS = 10_000;
const ALIAS = 'leasehold-lane';
const MAX_STDERR_CHARS = 4000;

/**
 * Ends ssh and removes the folder when its stdin ends, which it does when the app asks for it and when the app dies,
 * however that happens.
 */
const KEEPER = `folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & ssh=$!
(cat <&3 >/dev/null; kill "$ssh") & watcher=$!
wait "$ssh"
kill "$watcher" 2>/dev/null
rm -rf "$folder"`;

export async function openFastLane(options: FastLaneOptions): Promise<Result<FastLane, Problem>> {
  if (process.platform === 'win32') return err(noLane('Windows’ ssh has no control socket'));
  if (!options.isDirect) return err(noLane('the box is reached through something in between'));
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-lane-')); // 0700 by itself
  const cleanUp = (): void => void rm(folder, { recursive: true, force: true });
  const agent = await agentFor(options.signer, folder);
  if (agent === null) {
    cleanUp();
    return err(noLane('this way to log in cannot be handed to another program'));
  }
  const { type, publicKey } = options.hostKey;
  await writeFile(join(folder, 'known_hosts'), `${ALIAS} ${type} ${publicKey}\n`);
  const args = argsFor(options.address, folder, agent.socket);
  const child = spawn('sh', ['-c', KEEPER, 'sh', folder, 'ssh', ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // Nothing of ours but what ssh needs to run: no askpass program, no agent of the person.
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  let said = '';
  child.stdin.on('error', () => undefined); // written to by nobody; its end is the message
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => (said = (said + text).slice(-MAX_STDERR_CHARS)));
  const gone = ended(child).then(() => {
    agent.close();
    cleanUp();
  });
  if (!(await isReady(child, folder, options.signal))) {
    child.stdin.end();
    await gone;
    return err(noLane(said.trim().slice(-300)));
  }
  const { onReceived } = options;
  return ok(laneOver({ close: () => child.stdin.end(), folder, gone, onReceived }));
}

/** The first key is what the link logged in with, or what it tried first; an agent of the person is never asked twice. */
async function agentFor(
  signer: Signer | null,
  folder: string,
): Promise<{ readonly socket: string; close(): void } | null> {
  // The person's own agent may ask for a touch or a yes with each signature, and nobody would know what for.
  if (signer?.isOurs !== true) return null;
  const socket = join(folder, 'agent');
  const served = await serveKey(signer, socket);
  return served === null ? null : { socket, close: () => served.close() };
}

function argsFor({ host, port, user }: SshAddress, folder: string, agent: string): string[] {
  const options = {
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: join(folder, 'known_hosts'),
    GlobalKnownHostsFile: 'none',
    HostKeyAlias: ALIAS,
    UpdateHostKeys: 'no',
    IdentityAgent: agent,
    IdentityFile: 'none',
    PreferredAuthentications: 'publickey',
    // AES-GCM first: one pass for both secrecy and proof, which every processor of the last ten years does by itself. The rest is
    // for a box that has none of it.
    Ciphers:
      'aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr,aes192-ctr,aes256-ctr',
    ControlMaster: 'yes',
    ControlPath: controlPath(folder),
    ControlPersist: 'no',
    StreamLocalBindUnlink: 'yes',
    ServerAliveInterval: '10',
    ServerAliveCountMax: '2',
    ConnectTimeout: '15',
    LogLevel: 'ERROR',
  };
  const pairs = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return ['-F', 'none', '-N', '-T', ...pairs, '-p', String(port), '-l', user, '--', host];
}

const controlPath = (folder: string): string => join(folder, 'control');

/** ssh puts its control socket in place once it is logged in. */
async function isReady(child: ChildProcess, folder: string, signal: AbortSignal): Promise<boolean> {
  const stopper = new AbortController();
  const stop = (): void => stopper.abort();
  const timer = setTimeout(stop, READY_TIMEOUT_MS);
  signal.addEventListener('abort', stop, { once: true });
  const isThere = (): Promise<boolean> =>
    access(controlPath(folder)).then(
      () => true,
      () => false,
    );
  try {
    return await new Promise<boolean>((resolve) => {
      const look = (): void => void isThere().then((there) => there && resolve(true));
      try {
        watch(folder, { signal: stopper.signal }, look);
      } catch {
        // The keeper has ended already, where there is no ssh, and has taken its folder along: what it said is told below.
        resolve(false);
        return;
      }
      stopper.signal.addEventListener('abort', () => resolve(false));
      void ended(child).then(() => resolve(false));
      if (signal.aborted) stop();
      else look();
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stopper.abort();
  }
}

interface OpenLane extends Pick<FastLane, 'gone' | 'close'>, Pick<FastLaneOptions, 'onReceived'> {
  readonly folder: string;
}

function laneOver({ close, folder, gone, onReceived }: OpenLane): FastLane {
  const paths = new Map<string, Promise<string | null>>();

  function forward({ host, port }: Endpoint): Promise<string | null> {
    const target = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
    const known = paths.get(target);
    if (known !== undefined) return known;
    const path = join(folder, `f${String(paths.size)}`);
    const asked = new Promise<string | null>((resolve) => {
      const args = ['-F', 'none', '-S', controlPath(folder), '-O', 'forward'];
      execFile(
        'ssh',
        [...args, '-L', `${path}:${target}`, '--', ALIAS],
        { timeout: COMMAND_TIMEOUT_MS, env: { PATH: process.env['PATH'], HOME: folder } },
        (cause) => resolve(cause === null ? path : null),
      );
    });
    paths.set(target, asked);
    return asked;
  }

  return {
    gone,
    close,
    openStream: async (target) => {
      const path = await forward(target);
      if (path === null) return err(noLane('ssh did not take the forward'));
      const socket = connectPooled(path, onReceived);
      return new Promise((resolve) => {
        socket.once('error', ({ message }) => resolve(err(noLane(message))));
        socket.once('connect', () => resolve(ok(socket)));
      });
    },
    receive: async (command, receiving) => {
      const through = { controlPath: controlPath(folder), alias: ALIAS, home: folder, onReceived };
      const received = await receiveOver(through, command, receiving);
      return received.ok ? received : err(noLane(received.error));
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A program that cannot be started says "error" and never "exit".
  await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
}

function noLane(detail: string): Problem {
  return problem('tunnel-not-open', 'The system’s ssh could not be used for bulk data.', {
    nextStep: 'Nothing is lost: it goes on over the connection, only slower.',
    detail,
  });
}
