import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Reading into a few buffers over and over. A stream's usual reads allocate for each piece, which in Electron costs more
 * than the copy itself: pooled, a socket hands on about twice as much per second (decision 14).
 */
const BUFFER_BYTES = 256 * 1024;
const MAX_BUFFERS = 4;

/** Takes bytes that are only its own until it calls `release`. */
export type PooledSink = (bytes: Buffer, release: () => void) => void;

const attach = new WeakMap<Duplex, (sink: PooledSink) => void>();

/** Where this stream's bytes go, if it is one of ours; false for every other stream, which is read as usual. */
export function readPooled(stream: Duplex, sink: PooledSink): boolean {
  const start = attach.get(stream);
  start?.(sink);
  return start !== undefined;
}

/** Connects to a Unix socket. Nothing is read before `readPooled`. `onReceived`: for each piece that arrives. */
export function connectPooled(path: string, onReceived: (bytes: number) => void): Socket {
  const free: Buffer[] = [];
  let lent = 0;
  let sink: PooledSink | null = null;
  let early: (() => void) | null = null;

  const socket = connect({
    path,
    allowHalfOpen: true,
    onread: {
      buffer: () => free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES),
      callback: (count, buffer) => {
        onReceived(count);
        const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, count);
        const hand = (): void => {
          lent += 1;
          sink?.(bytes, () => {
            lent -= 1;
            free.push(Buffer.from(buffer.buffer, buffer.byteOffset, BUFFER_BYTES));
            socket.resume();
          });
        };
        if (sink === null) {
          early = hand;
          return false;
        }
        hand();
        // Right after this, the next buffer is taken: one must be left that nobody is still reading from.
        return lent < MAX_BUFFERS - 1;
      },
    },
  });
  attach.set(socket, (to) => {
    sink = to;
    early?.();
    early = null;
    socket.resume();
  });
  return socket;
}
