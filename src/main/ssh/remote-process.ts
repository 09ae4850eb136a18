import type { Client, ClientChannel } from 'ssh2';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { exitOf, type ConnectionLife, type ExitStatus } from './exit-status.ts';
import { openSession } from './open-session.ts';

/** Stderr beyond this is dropped: it is a message for people, not a data path. */
const MAX_STDERR_CHARS = 16 * 1024;

/** A command that runs on the box; its output is read as it comes, and a slow reader slows the box, not our memory. */
export class RemoteProcess {
  readonly #channel: ClientChannel;
  #stderr = '';
  #isRead = false;
  /** Settles when the channel is closed, or the connection under it. Never rejects. */
  readonly exited: Promise<ExitStatus>;

  constructor(channel: ClientChannel, life: ConnectionLife, signal: AbortSignal | undefined) {
    this.#channel = channel;
    channel.setEncoding('utf8');
    channel.stderr.setEncoding('utf8');
    channel.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(0, MAX_STDERR_CHARS);
    });
    this.exited = exitOf(channel, life);

    const stop = (): void => this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    void this.exited.then(() => signal?.removeEventListener('abort', stop));
    if (signal?.aborted === true) stop();
  }

  /** What the command said on stderr so far, cut to a bounded length. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Ends with the command's output, or where the link cut it; `exited` tells which. */
  async *stdout(): AsyncGenerator<string, void> {
    this.#isRead = true;
    try {
      for await (const text of this.#channel) yield String(text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause;
    } finally {
      this.#isRead = false;
      this.#drain();
    }
  }

  /** Writes all of the command's input and closes it. */
  endInput(input: string | Buffer = ''): void {
    this.#channel.end(input);
  }

  /** Asks the box to end the command and closes the channel. */
  stop(): void {
    this.#channel.signal('TERM');
    this.#channel.close();
    if (!this.#isRead) this.#drain();
  }

  /** A channel closes for us only when its last output was taken, wanted or not; until then it counts as open. */
  #drain(): void {
    this.#channel.resume();
  }
}

/** Starts a command on the box. */
export function openProcess(
  client: Client,
  command: string,
  life: ConnectionLife,
  signal: AbortSignal | undefined,
): Promise<Result<RemoteProcess, Problem>> {
  return openSession(life, {
    ask: (take) => client.exec(command, take),
    use: (channel) => new RemoteProcess(channel, life, signal),
    refused: {
      code: 'exec-refused',
      message: 'The box does not run commands over this connection.',
    },
    late: 'The box did not start a command in time.',
  });
}
