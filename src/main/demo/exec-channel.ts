import type { Readable } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import type { BoxChild } from './box-processes.ts';
import { ChannelWriter } from './channel-writer.ts';

/** What ignores SIGHUP and goes on printing loses its output then, as it does at once with sshd. */
const LAST_WORDS_MS = 10_000;

/**
 * Joins a process to a channel, as sshd does: three separate streams, the client's window holds back the process, the exit
 * code goes out when the process ends, and the channel closes when its output has ended too (which a background child that
 * kept it open can delay). `gone` fires when the client closed the channel or vanished: the process group then gets SIGHUP.
 */
export function joinProcess(
  channel: ServerChannel,
  child: BoxChild,
  gone: AbortSignal,
  { isTerminal = false }: { readonly isTerminal?: boolean } = {},
): void {
  const writer = new ChannelWriter(channel, gone);

  // `script` types Ctrl+D when its input ends, which would end a shell inside tmux; sshd types nothing.
  channel.pipe(child.stdin, { end: !isTerminal });
  // The process closed its stdin or died: what the client still sends is taken and dropped, or its window would fill up.
  child.stdin.on('error', () => channel.resume());
  child.stdin.on('close', () => channel.resume());

  const outputs = Promise.all([
    pump(child.stdout, (chunk) => writer.write('stdout', chunk)),
    pump(child.stderr, (chunk) => writer.write('stderr', chunk)),
  ]);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!gone.aborted) reportExit(channel, code, signal);
      resolve();
    });
    child.once('error', (cause) => {
      // Nothing was started: no shell, no home folder, no memory. 127 is what a shell says then.
      void writer.write('stderr', Buffer.from(`demo box: ${cause.message}\n`)).then(() => {
        if (!gone.aborted) channel.exit(127);
        resolve();
      });
    });
  });
  void Promise.all([outputs, exited]).then(() => channel.end());

  const hangUp = (): void => {
    signalGroup(child, 'SIGHUP');
    // `script` holds the terminal and ignores HUP. When it is gone, the system hangs up what runs on the terminal.
    if (isTerminal) child.kill('SIGKILL');
    child.stdin.destroy();
    // Its output is dropped until it has ended: a shell that traps HUP still says a word, and must not die of SIGPIPE over it.
    const closing = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, LAST_WORDS_MS);
    void outputs.then(() => clearTimeout(closing));
  };
  if (gone.aborted) hangUp();
  else gone.addEventListener('abort', hangUp);
}

/** Signals all of a process's group; false when it has none any more. */
export function signalGroup(child: BoxChild, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw cause;
  }
}

function reportExit(
  channel: ServerChannel,
  code: number | null,
  signal: NodeJS.Signals | null,
): void {
  if (signal === null) channel.exit(code ?? 255);
  else channel.exit(signal.replace(/^SIG/, ''), false, '');
}

/** Passes on what comes; when the client is gone, what still comes is dropped until the stream ends. */
async function pump(source: Readable, write: (chunk: Buffer) => Promise<boolean>): Promise<void> {
  try {
    for await (const chunk of source) await write(chunk as Buffer);
  } catch (cause) {
    // Destroyed while it was read, after the last words of a process whose client is gone.
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause;
  }
}
