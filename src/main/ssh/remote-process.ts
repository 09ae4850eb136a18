import { StringDecoder } from 'node:string_decoder';
import type { Client, ClientChannel } from 'ssh2';
import { splitAtStart } from '../../shared/boxes/any-shell.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { exitOf, type ConnectionLife, type ExitStatus } from './exit-status.ts';
import { MarkSplitter, START_LINE } from './mark-splitter.ts';
import { openSession } from './open-session.ts';
import { OwnWindow } from './own-window.ts';
import { untilEnd } from './until-end.ts';

/** Stderr beyond this is dropped: it is a message for people, not a data path. */
const MAX_STDERR_CHARS = 16 * 1024;

/** Enough for 20 MB/s over a round trip of 100 ms. What ssh2 opens a channel with. */
const IN_FLIGHT_BYTES = 2 * 1024 * 1024;

/** More than any start-up file prints; a box that goes on like that prints for its own sake. */
export const MAX_NOISE_CHARS = 256 * 1024;

/**
 * A command that runs on the box. What it prints is read as it comes, and a slow reader slows the box, not our memory; what it is
 * given is sent as fast as it takes it.
 */
export class RemoteProcess {
  readonly #channel: ClientChannel;
  readonly #window: OwnWindow;
  readonly #pieces: AsyncIterator<Buffer>;
  /** What was read together with the mark. */
  #unread: Buffer = Buffer.alloc(0);
  #noise = '';
  #mark: string | null = null;
  #hasTerminal = false;
  #stderr = '';
  #isRead = false;
  #isStopped = false;
  readonly #stopped: Promise<void>;
  #markStopped: () => void = () => undefined;
  readonly #inputOver: Promise<void>;
  #endSending: () => void = () => undefined;
  /** Settles when the channel is closed, or the connection under it. Never rejects. */
  readonly exited: Promise<ExitStatus>;

  constructor(channel: ClientChannel, life: ConnectionLife, signal: AbortSignal | undefined) {
    this.#channel = channel;
    this.#pieces = channel[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#window = new OwnWindow(channel, IN_FLIGHT_BYTES);
    const decoder = new StringDecoder('utf8');
    channel.stderr.on('data', (bytes: Buffer) => {
      this.#taken(bytes);
      this.#stderr = (this.#stderr + decoder.write(bytes)).slice(0, MAX_STDERR_CHARS);
    });
    this.#stopped = new Promise((resolve) => (this.#markStopped = resolve));
    this.#inputOver = new Promise((resolve) => (this.#endSending = resolve));
    this.exited = exitOf(channel, life);

    const stop = (): void => this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    void this.exited.then(() => {
      signal?.removeEventListener('abort', stop);
      this.#endSending();
    });
    if (signal?.aborted === true) stop();
  }

  /**
   * Reads up to the mark with which the command says that it begins; what came before is noise. `ended`: it never came.
   * `flooded`: more noise than anybody waits for.
   */
  async begin(mark: string): Promise<'begun' | 'ended' | 'flooded'> {
    this.#mark = mark;
    const splitter = new MarkSplitter(mark, START_LINE);
    const decoder = new StringDecoder('utf8');
    while (this.#noise.length <= MAX_NOISE_CHARS) {
      const piece = await this.#read();
      if (piece === null) {
        this.#noise += decoder.end(splitter.end());
        return 'ended';
      }
      const { before, found } = splitter.push(piece);
      this.#noise += decoder.write(before);
      if (found === null) continue;
      this.#hasTerminal = found.value === '\r';
      this.#unread = found.rest;
      return 'begun';
    }
    return 'flooded';
  }

  /** Something on the box put a terminal around the command: what it prints comes changed. Known once it has begun. */
  get hasTerminal(): boolean {
    return this.#hasTerminal;
  }

  /** So much may be on its way from now on; the box hears of it with the next that is read. */
  allowInFlight(bytes: number): void {
    this.#window.allow(bytes);
  }

  /** What was printed before the command began, or all of it where it never did. */
  get noise(): { readonly stdout: string; readonly stderr: string } {
    return { stdout: this.#noise, stderr: this.#splitStderr().before };
  }

  /** What the command said on stderr so far, cut to a bounded length. */
  get stderr(): string {
    return this.#splitStderr().rest;
  }

  /** Ends with the command's output, or where it was stopped or the link cut it; `exited` tells which. */
  async *bytes(): AsyncGenerator<Buffer, void> {
    const early = this.#unread;
    this.#unread = Buffer.alloc(0);
    this.#isRead = true;
    try {
      if (early.length > 0) yield early;
      for (let piece = await this.#next(); piece !== null; piece = await this.#next()) yield piece;
    } finally {
      this.#isRead = false;
      void this.#drain();
    }
  }

  /** The same as text, where characters may be cut anywhere between two pieces. */
  async *stdout(): AsyncGenerator<string, void> {
    const decoder = new StringDecoder('utf8');
    for await (const piece of this.bytes()) {
      const text = decoder.write(piece);
      if (text !== '') yield text;
    }
    const rest = decoder.end();
    if (rest !== '') yield rest;
  }

  /**
   * Sends this as the command's input, no faster than the box takes it, and closes it. Ends early, and without a word, where the
   * command does: that it left something unread is its own affair, as in a pipe. Rejects with what the input itself throws.
   */
  async send(input: AsyncIterable<Uint8Array>): Promise<void> {
    const pieces = input[Symbol.asyncIterator]();
    for (;;) {
      const next = await untilEnd(pieces.next(), this.#inputOver, () => null);
      if (next === null) break;
      if (next.done === true) {
        this.endInput();
        return;
      }
      const written = new Promise<void>((resolve) => {
        this.#channel.write(next.value, () => resolve());
      });
      // A channel that was closed in the middle never calls back.
      await untilEnd(written, this.#inputOver, () => undefined);
    }
    // Nobody takes what is left: its source may close, and how it does is for whoever made it.
    pieces.return?.().catch(() => undefined);
  }

  /** Closes the command's input: nothing more is sent. */
  endInput(): void {
    this.#channel.end();
  }

  /** What is still to be sent has nobody who would read it. */
  endSending(): void {
    this.#endSending();
  }

  /** Asks the box to end the command and closes the channel. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#channel.signal('TERM');
    this.#channel.close();
    this.#endSending();
    this.#markStopped();
    if (!this.#isRead) void this.#drain();
  }

  /** A channel closes for us only when its last output was taken, wanted or not; until then it counts as open. */
  async #drain(): Promise<void> {
    while ((await this.#read()) !== null);
  }

  /** For whoever reads: nothing more once it was stopped, also where the box never closes the channel. */
  #next(): Promise<Buffer | null> {
    return this.#isStopped
      ? Promise.resolve(null)
      : untilEnd(this.#read(), this.#stopped, () => null);
  }

  async #read(): Promise<Buffer | null> {
    try {
      const next = await this.#pieces.next();
      if (next.done === true) return null;
      this.#taken(next.value);
      return next.value;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw cause;
      return null;
    }
  }

  #taken({ length }: Buffer): void {
    this.#window.given(length);
    this.#window.consumed(length);
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
