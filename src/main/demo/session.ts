import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServerChannel, Session } from 'ssh2';
import type { DemoBoxFault } from '../../shared/demo/faults.ts';
import type { BoxChild, BoxCommand, BoxProcesses } from './box-processes.ts';
import { joinProcess, signalGroup } from './exec-channel.ts';
import { resizeCommand, type TerminalMaker, type TerminalSize } from './terminal-command.ts';

/** What sessions need of the box. */
export interface SessionBox {
  readonly processes: BoxProcesses;
  readonly makeTerminal: TerminalMaker;
  readonly tmpFolder: string;
  /** The system's SFTP server, if it has one. */
  readonly sftpServer: string | null;
  readonly hasFault: (fault: DemoBoxFault) => boolean;
}

/** What a start-up file prints that does not ask whether somebody reads it. */
const GREETING = "echo 'Welcome to the demo box! Conda environment: base';";

// RFC 4254 6.10; anything else is not passed on.
const SIGNALS = 'ABRT ALRM FPE HUP ILL INT KILL PIPE QUIT SEGV TERM USR1 USR2'.split(' ');

/** What Debian's sshd accepts, and two that only colour output. SECURITY: never PATH, LD_* and the like. */
const ACCEPTED_ENV = /^(?:LANG|LC_[A-Z]+|COLORTERM|NO_COLOR)$/;
const MAX_ENV_CHARS = 1000;

interface Terminal extends TerminalSize {
  readonly term: string;
  readonly ttyFile: string;
}

type Accept = (() => unknown) | undefined;

/**
 * Serves one session channel: one shell, command or subsystem. ssh2 hands out the channel only inside these handlers and
 * drops data that comes before, so each accepts at once. `accept` and `reject` are missing where the client wants no reply.
 */
export function serveSession(session: Session, box: SessionBox, gone: AbortSignal): void {
  const { processes } = box;
  const env: Record<string, string> = {};
  let terminal: Terminal | null = null;
  let child: BoxChild | null = null;

  const ended = new AbortController();
  const end = (): void => ended.abort();
  session.on('close', end);
  gone.addEventListener('abort', end);
  ended.signal.addEventListener('abort', () => gone.removeEventListener('abort', end));

  const run = (channel: ServerChannel, command: BoxCommand, isTerminal = false): void => {
    child = processes.start({ ...command, env: { ...env, ...command.env } });
    joinProcess(channel, child, ended.signal, { isTerminal });
  };
  const runInTerminal = (channel: ServerChannel, size: Terminal, command: string | null): void =>
    run(channel, box.makeTerminal({ ...size, command }), true);

  session.on('pty', (accept, _reject, info) => {
    const ttyFile = join(box.tmpFolder, `tty-${randomBytes(6).toString('hex')}`);
    terminal = { ...readSize(info), term: readTerm(info), ttyFile };
    answer(accept);
  });
  session.on('window-change', (accept, _reject, info) => {
    answer(accept);
    if (terminal === null || child === null) return;
    const resizer = processes.start(
      resizeCommand(processes.shell, readSize(info), terminal.ttyFile),
    );
    resizer.stdin.end();
    resizer.stdout.resume();
    resizer.stderr.resume();
  });
  session.on('env', (accept, reject, { key, val }) => {
    const isAccepted = ACCEPTED_ENV.test(key) && val.length <= MAX_ENV_CHARS && !val.includes('\0');
    if (isAccepted) env[key] = val;
    answer(isAccepted ? accept : reject);
  });
  session.on('signal', (accept, reject, { name }) => {
    const isKnown = SIGNALS.includes(name) && child !== null;
    if (isKnown && child !== null) signalGroup(child, `SIG${name}` as NodeJS.Signals);
    answer(isKnown ? accept : reject);
  });
  session.on('exec', (accept, _reject, { command }) => {
    const channel = accept();
    const line = box.hasFault('noisy-login') ? `${GREETING} ${command}` : command;
    if (terminal === null) run(channel, { file: processes.shell, args: ['-c', line] });
    else runInTerminal(channel, terminal, command);
  });
  session.on('shell', (accept) => {
    const channel = accept();
    // Without a terminal a shell reads its commands from stdin, as with sshd.
    if (terminal === null) run(channel, { file: processes.shell, args: [] });
    else runInTerminal(channel, terminal, null);
  });
  session.on('subsystem', (accept, reject, { name }) => {
    if (name !== 'sftp' || box.sftpServer === null || box.hasFault('no-sftp')) {
      answer(reject);
      return;
    }
    run(accept(), { file: box.sftpServer, args: [] });
  });
}

function answer(reply: Accept): void {
  reply?.();
}

function readSize({ rows, cols }: TerminalSize): TerminalSize {
  return { rows: Math.min(rows, 10_000), cols: Math.min(cols, 10_000) };
}

/** ssh2's types leave `term` out. The name goes into the environment: only plain ones. */
function readTerm(info: object): string {
  const term = 'term' in info && typeof info.term === 'string' ? info.term : '';
  return /^[\w.+-]{1,64}$/.test(term) ? term : 'xterm-256color';
}
