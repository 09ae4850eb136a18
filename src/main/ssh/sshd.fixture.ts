import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makeReadableKeyPair } from './readable-key-pair.ts';
import { DEFAULT_PATH, shownOn } from './shown-programs.fixture.ts';

const SSHD = '/usr/sbin/sshd';
export const hasSshd = existsSync(SSHD);

/** A real OpenSSH server on loopback that lets the current user in with one fresh key. */
export interface TestSshd {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly keyFile: string;
  /** As `ssh-keygen -l` prints it: an independent opinion about the fingerprint. */
  readonly fingerprint: string;
  readonly fingerprintMd5: string;
  /** Type and key of each host key, as known_hosts files hold them. */
  readonly hostKeys: readonly string[];
  /** How many connections it serves right now. */
  connections(): number;
  stop(): Promise<void>;
}

export interface SshdOptions {
  /** As `ssh-keygen -t` names them; the first one gives `fingerprint`. */
  readonly hostKeyTypes?: readonly string[];
  /** The port of a server that was stopped: a machine that was re-created. */
  readonly port?: number;
  /** An existing key, with its .pub beside it, that may log in; a fresh one otherwise. */
  readonly keyFile?: string;
  readonly configLines?: readonly string[];
  /** Where commands believe they are at home, so that a test may change what lies there; an empty folder otherwise. */
  readonly home?: string;
  /** What commands find in their environment besides. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * What reads each command, as if it stood in /etc/passwd: fish, tcsh, rbash … An ordinary user cannot change that file, so
   * a forced command hands over to it and leaves no trace of itself.
   */
  readonly loginShell?: string;
  /** The only folders in which commands find programs. */
  readonly path?: string;
}

export async function startSshd({
  hostKeyTypes = ['ed25519'],
  port: wantedPort,
  keyFile: wantedKey,
  configLines = [],
  home: wantedHome,
  env = {},
  loginShell,
  path,
}: SshdOptions = {}): Promise<TestSshd> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-sshd-'));
  // What this machine's owner has in their start-up files is no part of a test.
  const home = wantedHome ?? join(folder, 'home');
  if (wantedHome === undefined) mkdirSync(home);
  const keyFile = wantedKey ?? join(folder, 'client_key');
  if (wantedKey === undefined) makeKey('ed25519', keyFile);
  const hostKeyFiles = hostKeyTypes.map((type) => {
    const file = join(folder, `host_key_${type}`);
    makeKey(type, file);
    return file;
  });
  const hostKeys = hostKeyFiles.map((file) =>
    readFileSync(`${file}.pub`, 'utf8').split(' ', 2).join(' '),
  );
  const port = wantedPort ?? (await freePort());
  const config = join(folder, 'sshd_config');
  writeFileSync(
    config,
    [
      `Port ${String(port)}`,
      'ListenAddress 127.0.0.1',
      ...hostKeyFiles.map((file) => `HostKey ${file}`),
      `AuthorizedKeysFile ${keyFile}.pub ${home}/.ssh/authorized_keys`,
      // A tmux server gives what it starts the environment in which it was started: each box has its own.
      ...environment({
        ...{ HOME: home, TMUX_TMPDIR: home, SHELL: loginShell },
        PATH: path === undefined ? DEFAULT_PATH : shownOn(path),
        // Only a hang may be taken for one, and no busy machine.
        LEASEHOLD_PATIENCE_S: '60',
        // The other home folders here are nobody's business.
        LEASEHOLD_PASSWD: '/dev/null',
        ...env,
      }),
      ...(loginShell === undefined
        ? []
        : [
            `ForceCommand exec /usr/bin/env -u SSH_ORIGINAL_COMMAND ${loginShell} -c "$SSH_ORIGINAL_COMMAND"`,
          ]),
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'LogLevel INFO',
      ...configLines,
    ].join('\n'),
  );
  // sshd insists on this folder when it runs as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  server.stderr.setEncoding('utf8');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (text: string) => {
      said += text;
      if (said.includes('Server listening')) resolve();
    });
    server.once('exit', () => reject(new Error(`sshd ended: ${said}`)));
  });
  return {
    port,
    user: userInfo().username,
    privateKey: readFileSync(keyFile, 'utf8'),
    keyFile,
    get fingerprint() {
      return fingerprintOf(hostKeys[0] ?? '', 'sha256');
    },
    get fingerprintMd5() {
      return fingerprintOf(hostKeys[0] ?? '', 'md5');
    },
    hostKeys,
    connections: () => childrenOf(server.pid as number),
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const gone = once(server, 'exit');
        server.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** sshd has a process for each connection; what runs on it belongs to that one. */
function childrenOf(pid: number): number {
  const file = `/proc/${String(pid)}/task/${String(pid)}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).length;
}

/** sshd takes the first such line and no other. */
function environment(values: Readonly<Record<string, string | undefined>>): string[] {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return set.length === 0 ? [] : [`SetEnv ${set.map((each) => each.join('=')).join(' ')}`];
}

/** Hundreds of servers want two: by ourselves, because a program for each costs more than the key. Its own keys have tests of theirs. */
function makeKey(type: string, file: string): void {
  if (type !== 'ed25519') {
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
    return;
  }
  const { private: secret, public: known } = makeReadableKeyPair();
  writeFileSync(file, secret, { mode: 0o600 });
  writeFileSync(`${file}.pub`, known);
}

function fingerprintOf(key: string, hash: string): string {
  const args = ['-l', '-E', hash, '-f', '-'];
  return execFileSync('ssh-keygen', args, { input: key, encoding: 'utf8' }).split(' ')[1] as string;
}

/** Below those that systems hand out by themselves: nobody gets it by chance before the server that it is meant for listens. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];
let triedPorts = 0;

/** A port that no other test is given for as long as this process lives, whether or not its server listens yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Test files run in processes of their own, whose numbers follow each other: each has ports of its own for long.
    const port = FIRST_PORT + ((process.pid * 37 + triedPorts) % PORTS);
    triedPorts += 1;
    if ((await isClaimed(port)) && (await isFree(port))) return port;
  }
}

/** Only Linux has sockets whose names go with their process, however it ends. */
export const claimOf = (port: number): string => `\0leasehold-test-port-${String(port)}`;

async function isClaimed(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const claim = createServer().unref();
  return isBound(claim, () => claim.listen(claimOf(port)));
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  if (!(await isBound(probe, () => probe.listen(port, '127.0.0.1')))) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

/** False: it is another one's. */
async function isBound(server: Server, bind: () => void): Promise<boolean> {
  const listening = once(server, 'listening');
  bind();
  try {
    await listening;
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw cause;
  }
}
