import type { Client, ClientChannel } from 'ssh2';
import { splitAtStart } from '../../shared/boxes/any-shell.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { exitOf, type ConnectionLife, type ExitStatus } from './exit-status.ts';
import { openSession } from './open-session.ts';

/** Stderr beyond this is dropped: it is a message for people, not a data path. */
const MAX_STDERR_CHARS = 16 * 1024;

/** More than any start-up file prints; a box that goes on like that prints for its own sake. */
const MAX_NOISE_CHARS = 256 * 1024;

/** A command that runs on the box; its output is read as it comes, and a slow reader slows the box, not our memory. */
export class RemoteProcess {
  readonly #channel: ClientChannel;
  readonly #pieces: AsyncIterator<unknown>;
  /** What was read together with the mark. */
  #unread = '';
  #noise = '';
  #mark: string | null = null;
  #stderr = '';
  #isRead = false;
  /** Settles when the channel is closed, or the connection under it. Never rejects. */
  readonly exited: Promise<ExitStatus>;

  constructor(channel: ClientChannel, life: ConnectionLife, signal: AbortSignal | undefined) {
    this.#channel = channel;
    channel.setEncoding('utf8');
    this.#pieces = channel[Symbol.asyncIterator]();
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

  /**
   * Reads up to the mark with which the command says that it begins; what came before is noise. `ended`: it never came.
   * `flooded`: more noise than anybody waits for.
   */
  async begin(mark: string): Promise<'begun' | 'ended' | 'flooded'> {
    this.#mark = mark;
    while (this.#noise.length <= MAX_NOISE_CHARS) {
      const piece = await this.#read();
      if (piece === null) return 'ended';
      this.#noise += piece;
      const parts = splitAtStart(this.#noise, mark);
      if (parts === null) continue;
      this.#noise = parts.before;
      this.#unread = parts.rest;
      return 'begun';
    }
    return 'flooded';
  }

  /** What was printed before the command began, or all of it where it never did. */
  get noise(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: this.#noise, stderr: this.#splitStderr().before };
  }

  /** What the command said on stderr so far, cut to a bounded length. */
  get stderr(): string {
    return this.#splitStderr().rest;
  }

  /** Ends with the command's output, or where the link cut it; `exited` tells which. */
  async *stdout(): AsyncGenerator<string, void> {
    const early = this.#unread;
    this.#unread = '';
    this.#isRead = true;
    try {
      if (early !== '') yield early;
      for (let piece = await this.#read(); piece !== null; piece = await this.#read()) yield piece;
    } finally {
      this.#isRead = false;
      void this.#drain();
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
    if (!this.#isRead) void this.#drain();
  }

  /** A channel closes for us only when its last output was taken, wanted or not; until then it counts as open. */
  async #drain(): Promise<void> {
    while ((await this.#read()) !== null);
  }

  async #read(): Promise<string | null> {
    try {
      const next = await this.#pieces.next();
      return next.done === true ? null : String(next.value);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause;
      return null;
    }
  }

  /** Where the mark is missing (a flood took its place) nobody can tell noise from the command's own words. */
  #splitStderr(): { readonly before: string; readonly rest: string } {
    const parts = this.#mark === null ? null : splitAtStart(this.#stderr, this.#mark);
    return parts ?? { before: '', rest: this.#stderr };
  }
}

/** Hands a command line to the box's login shell. */
export function exec(
  client: Client,
  commandLine: string,
  life: ConnectionLife,
  signal: AbortSignal | undefined,
): Promise<Result<RemoteProcess, Problem>> {
  return openSession(life, {
    ask: (take) => client.exec(commandLine, take),
    use: (channel) => new RemoteProcess(channel, life, signal),
    refused: {
      code: 'exec-refused',
      message: 'The box does not run commands over this connection.',
    },
    late: 'The box did not start a command in time.',
  });
}
