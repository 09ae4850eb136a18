import type { Writable } from 'node:stream';
import type { ServerChannel } from 'ssh2';

/** What ssh2 (1.17) keeps of a write that did not fit the client's window. */
interface PendingWrites {
  _chunk: unknown;
  _chunkcb: unknown;
  _chunkErr: unknown;
  _chunkcbErr: unknown;
}

/**
 * Writes to a channel's stdout and stderr one chunk at a time, each when the client's window has taken the last.
 *
 * ssh2's server keeps at most one waiting chunk per stream but wakes only one of them, and it never forgets the chunk that it
 * woke: with both streams busy past the window, stderr stalls and stdout is sent twice. One write at a time and a clean slate
 * after each keeps to the part that works.
 */
export class ChannelWriter {
  readonly #channel: ServerChannel;
  #turn: Promise<unknown> = Promise.resolve();
  #giveUp: (() => void) | null = null;
  #isClosed = false;

  constructor(channel: ServerChannel, gone: AbortSignal) {
    this.#channel = channel;
    // A write that waits for a window is never called back once the channel is closed.
    gone.addEventListener('abort', () => {
      this.#isClosed = true;
      this.#giveUp?.();
    });
  }

  /** Resolves when the chunk is on its way; false when the client is gone. */
  write(stream: 'stdout' | 'stderr', chunk: Buffer): Promise<boolean> {
    const target: Writable = stream === 'stdout' ? this.#channel : this.#channel.stderr;
    const written = this.#turn.then(() => this.#writeNow(target, chunk));
    this.#turn = written;
    return written;
  }

  #writeNow(target: Writable, chunk: Buffer): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#giveUp = () => resolve(false);
      target.write(chunk, () => {
        const pending = this.#channel as unknown as PendingWrites;
        pending._chunk = undefined;
        pending._chunkcb = undefined;
        pending._chunkErr = undefined;
        pending._chunkcbErr = undefined;
        resolve(true);
      });
    });
  }
}
