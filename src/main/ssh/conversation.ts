import type { Socket } from 'node:net';

/** Why talking to a proxy came to nothing. */
export type Trouble = 'closed' | 'late' | 'too-long' | 'aborted' | 'garbled';

/** Thrown inside a conversation and caught where it began. */
export class ConversationOver extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** A few questions and answers before a socket is used for something else, within bounded time and size. */
export interface Conversation {
  send(bytes: Buffer): void;
  readBytes(count: number): Promise<Buffer>;
  /** Up to and with the mark. */
  readThrough(mark: string, maxBytes: number): Promise<Buffer>;
}

/** What came after the last answer stays in the socket. The socket is destroyed unless `talk` ends well. */
export async function converse<T>(
  socket: Socket,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  let read = Buffer.alloc(0);
  let trouble: Trouble | null = null;
  let wake: () => void = () => undefined;
  const stop = (why: Trouble): void => {
    trouble ??= why;
    wake();
  };
  const onData = (chunk: Buffer): void => {
    read = Buffer.concat([read, chunk]);
    socket.pause();
    wake();
  };
  const onEnd = (): void => stop('closed');
  const onAbort = (): void => stop('aborted');
  const timer = setTimeout(() => stop('late'), timeoutMs);
  socket.on('data', onData).on('end', onEnd).on('error', onEnd).on('close', onEnd);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  /** `lengthIn` answers how many bytes are wanted of what was read so far; null: not known yet. */
  async function take(lengthIn: (bytes: Buffer) => number | null): Promise<Buffer> {
    for (;;) {
      const length = trouble === 'aborted' ? null : lengthIn(read);
      if (length !== null && read.length >= length) {
        const taken = read.subarray(0, length);
        read = read.subarray(length);
        return taken;
      }
      if (trouble !== null) throw new ConversationOver(trouble);
      await new Promise<void>((resolve) => {
        wake = resolve;
        socket.resume();
      });
    }
  }

  try {
    const result = await talk({
      send: (bytes) => void socket.write(bytes),
      readBytes: (count) => take(() => count),
      readThrough: (mark, maxBytes) =>
        take((bytes) => {
          const at = bytes.indexOf(mark);
          if (at !== -1) return at + mark.length;
          if (bytes.length > maxBytes) throw new ConversationOver('too-long');
          return null;
        }),
    });
    socket.pause();
    if (read.length > 0) socket.unshift(read);
    return result;
  } catch (cause) {
    // An error that comes after this is nobody's any more.
    socket.on('error', () => undefined);
    socket.destroy();
    throw cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    socket.off('data', onData).off('end', onEnd).off('error', onEnd).off('close', onEnd);
  }
}
