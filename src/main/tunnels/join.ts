import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readPooled } from '../ssh/pooled-socket.ts';

/** What happens in the connections of one tunnel. Called often: each must be cheap. */
export interface TrafficCounter {
  opened(): void;
  closed(): void;
  /** From the side that asked to the side that was asked, and back. */
  sent(bytes: number): void;
  received(bytes: number): void;
}

/**
 * Joins the connection that asked with the one that answers until both are done. Each side's end is passed on as a
 * half-close, a slow reader slows the writer at the other end, and a broken side takes the other with it. Returns how to
 * cut both.
 */
export function join(asking: Duplex, answering: Duplex, counter: TrafficCounter): () => void {
  counter.opened();
  let isOver = false;
  asking.on('data', (chunk: Buffer) => counter.sent(chunk.length));
  asking.pipe(answering);
  const isPooled = readPooled(answering, (bytes, release) => {
    counter.received(bytes.length);
    asking.write(bytes, release);
  });
  if (isPooled) {
    answering.on('end', () => asking.end());
  } else {
    answering.on('data', (chunk: Buffer) => counter.received(chunk.length));
    answering.pipe(asking);
  }

  const cut = (): void => {
    asking.destroy();
    answering.destroy();
    if (isOver) return;
    isOver = true;
    counter.closed();
  };
  for (const [one, other] of [
    [asking, answering],
    [answering, asking],
  ] as const) {
    one.on('error', cut);
    one.on('close', () => {
      // What is already on its way to the other side still arrives; nothing more can come from this one.
      if (other.writableNeedDrain || !other.writableFinished) endSoon(other, cut);
      else cut();
    });
  }
  return cut;
}

/** Ends a side whose partner is gone, once what was written to it has left; a partner that reset itself is no reason to wait. */
function endSoon(side: Duplex, cut: () => void): void {
  if (side.destroyed || side.errored !== null) cut();
  else side.end(cut);
}

/** A socket of ours: half-open connections are passed on as such, and small writes are not held back. */
export function prepare(socket: Socket): Socket {
  socket.allowHalfOpen = true;
  socket.setNoDelay(true);
  // Until it is joined nobody listens, and clients reset connections all the time.
  socket.on('error', () => socket.destroy());
  return socket;
}
