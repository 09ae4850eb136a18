import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';

/** Nothing in main is to hold up the rest for longer than a frame of the window; one piece more comes on top. */
const TURN_MS = 8;
/** Of requests, each of which is answered, this many bytes take Electron some 10 ms. */
export const PIECE_BYTES = 4 * 1024;

/** ssh2 keeps both to itself. */
interface Internals {
  readonly _sock: Duplex;
  readonly _protocol: {
    /** Absent: the connection is of no use any more. */
    readonly _destruct?: () => void;
    /** Absent: the server has not said who it is. */
    readonly _remoteIdentRaw?: Buffer;
    parse(chunk: Buffer, from: number, to: number): void;
  };
}

/** After these ssh2 takes no more of what came before them. */
const ENDS: readonly (string | symbol)[] = ['end', 'error', 'close'];

/**
 * SECURITY: a socket hands over up to 2 MB before anybody else has a turn, and ssh2 parses them at once. Of large packets that is a
 * few milliseconds; of packets that carry nothing it was 1.9 s in which main stood still, again and again.
 */
export function parseInTurns(client: Client, nowMs: () => number = () => performance.now()): void {
  const { _protocol, _sock } = client as unknown as Internals;
  const parse = _protocol.parse.bind(_protocol);
  const tell = _sock.emit.bind(_sock);
  const hangUp = client.destroy.bind(client);
  let waiting: Buffer[] = [];
  const held: (readonly [event: string | symbol, values: readonly unknown[]])[] = [];
  let hasHungUp = false;
  let turnBeganMs: number | null = null;

  function beginTurn(): number {
    setImmediate(() => {
      turnBeganMs = null;
      const hasWaited = waiting.length > 0;
      parseOn();
      if (waiting.length > 0) return;
      if (hasWaited) _sock.resume();
      for (const [event, values] of held.splice(0)) tell(event, ...values);
    });
    return nowMs();
  }

  /** SECURITY: what deciphers is freed once the connection is over; native code would use it all the same, and crash. */
  function isOver(): boolean {
    const isEndedByServer = _sock.errored !== null || held.some(([event]) => event === 'end');
    return _protocol._destruct === undefined || hasHungUp || (_sock.destroyed && !isEndedByServer);
  }

  function parseOn(): void {
    while (waiting.length > 0) {
      if (isOver()) {
        waiting = [];
        return;
      }
      turnBeganMs ??= beginTurn();
      if (nowMs() - turnBeganMs > TURN_MS) {
        _sock.pause();
        return;
      }
      const piece = waiting.shift() as Buffer;
      try {
        parse(piece, 0, piece.length);
      } catch (cause) {
        waiting = [];
        client.emit('error', cause);
        _sock.end();
      }
    }
  }

  client.destroy = () => {
    hasHungUp = true;
    return hangUp();
  };

  // A socket that is paused tells its end all the same: it is told when what came before it has been heard.
  _sock.emit = (event: string | symbol, ...values: readonly unknown[]) => {
    if (!ENDS.includes(event) || (waiting.length === 0 && held.length === 0)) {
      return tell(event, ...values);
    }
    held.push([event, values]);
    // What it has read and nobody has taken, it would give to nobody any more.
    const rest = event === 'error' ? (_sock.read() as Buffer | null) : null;
    if (rest !== null) take(rest, 0, rest.length);
    return true;
  };

  function take(chunk: Buffer, from: number, to: number): void {
    // ssh2 loses what precedes the line in which a server says who it is, if that line comes in parts.
    const pieceBytes = _protocol._remoteIdentRaw === undefined ? to - from : PIECE_BYTES;
    for (let at = from; at < to; at += pieceBytes) {
      waiting.push(chunk.subarray(at, Math.min(to, at + pieceBytes)));
    }
    parseOn();
  }
  _protocol.parse = take;
}
