import { spawn, type ChildProcess } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { forAnyShell } from '../../shared/boxes/any-shell.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { fileGrowth } from './file-growth.ts';

export interface Receiving {
  /** Sent on stdin. */
  readonly input: string;
  /** Opened for appending: ssh writes there by itself. */
  readonly into: FileHandle;
  /** SECURITY: a box that sends more than this is not listened to any further, and what is too much is cut off. */
  readonly mostBytes: number;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** The command ended, and all that it printed lies in the file. */
export interface Received {
  readonly code: number;
  readonly bytes: number;
}

export interface Through {
  readonly controlPath: string;
  readonly alias: string;
  readonly home: string;
  readonly onReceived: (bytes: number) => void;
}

const MAX_STDERR_CHARS = 4000;
/** What ssh ends with where the command did not. */
const SSH_FAILED = 255;

/** Nothing is begun where its bytes would be changed. */
const NO_TERMINAL = '[ -t 0 ] || [ -t 1 ] && exit 1';

/**
 * One command over an ssh that is logged in already. That one is handed the file and writes into it; the process that is started here only
 * asks for the command and tells how it ended.
 */
export async function receiveOver(
  { controlPath, alias, home, onReceived }: Through,
  command: string,
  { input, into, mostBytes, onBytes, signal }: Receiving,
): Promise<Result<Received, string>> {
  if (signal.aborted) return err('it was stopped');
  // SECURITY: where the other ssh is gone this one would go its own way, to whatever has that name. `false` is a way to nowhere.
  const options = ['BatchMode=yes', 'ProxyCommand=false', 'LogLevel=ERROR'];
  const args = ['-F', 'none', '-S', controlPath, '-T', ...options.flatMap((each) => ['-o', each])];
  const before = (await into.stat()).size;
  const child = spawn('ssh', [...args, '--', alias, forAnyShell(`${NO_TERMINAL}; ${command}`)], {
    stdio: ['pipe', into.fd, 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home },
  });
  let said = '';
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => (said = (said + text).slice(-MAX_STDERR_CHARS)));
  child.stdin?.on('error', () => undefined); // a command that reads no further; how it ends tells
  child.stdin?.end(input);
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  const growth = fileGrowth(into, before, (bytes) => {
    onReceived(bytes);
    onBytes(bytes);
    if (growth.grownBytes > mostBytes) stop();
  });
  try {
    const code = await codeOf(child);
    await growth.look();
    if (signal.aborted) return err('it was stopped');
    if (growth.grownBytes > mostBytes) return err('the box sent more than was asked for');
    if (code === null || code === SSH_FAILED) return err(said.trim().slice(-300));
    return ok({ code, bytes: growth.grownBytes });
  } finally {
    growth.stop();
    signal.removeEventListener('abort', stop);
  }
}

/** Null: it was killed, or could not be started. */
function codeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
}
