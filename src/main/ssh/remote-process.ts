import type { ClientChannel } from 'ssh2';

/** How a command on the box ended. Both null: not known, because the link was gone before the box told. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Stderr beyond this is dropped: it is a message for people, not a data path. */
const MAX_STDERR_CHARS = 16 * 1024;

/** A command that runs on the box; its output is read as it comes, and a slow reader slows the box, not our memory. */
export class RemoteProcess {
  readonly #channel: ClientChannel;
  #stderr = '';
  /** Settles when the channel is closed, or the connection under it. Never rejects. */
  readonly exited: Promise<ExitStatus>;

  constructor(
    channel: ClientChannel,
    connectionClosed: Promise<unknown>,
    signal: AbortSignal | undefined,
  ) {
    this.#channel = channel;
    channel.setEncoding('utf8');
    channel.stderr.setEncoding('utf8');
    channel.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(0, MAX_STDERR_CHARS);
    });
    let status: ExitStatus = { code: null, signal: null };
    channel.on('exit', (code: number | null, name?: string) => {
      status = { code, signal: name ?? null };
    });
    // An error on a channel is followed by its close, and the close is what everybody waits for.
    channel.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      channel.once('close', () => resolve(status));
      // A channel whose output nobody read does not report its close when the connection goes.
      void connectionClosed.then(() => resolve(status));
    });

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
    try {
      for await (const text of this.#channel) yield String(text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause;
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
  }
}
